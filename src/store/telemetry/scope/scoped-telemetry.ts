import { LRUCache } from 'lru-cache'
import { readSignal } from '#lib/read-signal.ts'
import type { Asker } from '#lib/turns.ts'
import { joinReads } from '../join-reads.ts'
import type { Query } from '../query.ts'
import type { Telemetry } from '../telemetry.ts'
import { type DeletedGroup, deletedParams } from './deleted-groups.ts'
import { type FilledQuery, fillScope, scopeParameter } from './fill-scope.ts'

/**
 * Telemetry as one viewer may read it. Every SELECT of a query begins its WHERE with `{scope}`, which stands for the condition on
 * the projects; a query without it is refused before it is sent (`fill-scope.ts`). Events of deleted issues are not in the scope.
 */
export type ScopedTelemetry = {
  /** The schema describes one row. */
  query<Row>(query: Query<Row>): Promise<Row[]>
  /** For thousands of short rows: the result has an array per column, and the schema describes all of them. */
  columns<Columns>(query: Query<Columns>): Promise<Columns>
  /** The same with fewer projects. Ids outside of the scope are ignored, and `undefined` means all projects of the scope. */
  within(projectIds: readonly number[] | undefined): ScopedTelemetry
  /** The same, but what is asked for in one turn is one statement, and what is asked of `late` another after it (`join-reads.ts`). */
  joined(): { soon: ScopedTelemetry; late: ScopedTelemetry }
  /** The parameters of `isDeletedSql`, for sums that know the group of an error; null without deleted issues. */
  deletedGroups(): Promise<ReturnType<typeof deletedParams>>
  /** The same object for all scopes of one store: caches hold one map for each store. */
  readonly store: object
}

export function scopeTelemetry(
  telemetry: Telemetry,
  projectIds: readonly number[],
  readDeleted: () => Promise<DeletedGroup[]> = async () => [],
  asker?: Asker,
): ScopedTelemetry {
  // Read once for all queries of a viewer, so that the numbers of one page agree.
  let deleted: ReturnType<ScopedTelemetry['deletedGroups']> | undefined
  const deletedGroups = () => {
    deleted ??= readDeleted().then(deletedParams)
    return deleted
  }
  return scope({ store: telemetry, telemetry, deletedGroups, asker }, projectIds)
}

type Source = {
  store: object
  telemetry: Telemetry
  deletedGroups: ScopedTelemetry['deletedGroups']
  asker: Asker | undefined
}

function scope(source: Source, projectIds: readonly number[]): ScopedTelemetry {
  const { store, telemetry, deletedGroups, asker } = source
  const scoped = async <Result>({ query, params = {}, ...rest }: Query<Result>): Promise<Query<Result>> => {
    const signal = readSignal() // before anything is awaited: of the current request
    if (scopeParameter in params) throw new Error(`The parameter ${scopeParameter} is set by the scope`)
    // No project has the id 0: an empty scope matches no rows.
    const ids = projectIds.length === 0 ? [0] : projectIds
    const { plain, withoutDeleted } = fill(query)
    const deleted = plain === withoutDeleted ? null : await deletedGroups()
    return {
      asker,
      signal,
      ...rest,
      query: deleted === null ? plain : withoutDeleted,
      params: { ...params, ...deleted, [scopeParameter]: ids },
    }
  }
  return {
    query: async query => telemetry.query(await scoped(query)),
    columns: async query => telemetry.columns(await scoped(query)),
    within: chosen => scope(source, chosen === undefined ? projectIds : projectIds.filter(id => chosen.includes(id))),
    joined: () => {
      const { soon, late } = joinReads(telemetry)
      return {
        soon: scope({ ...source, telemetry: soon }, projectIds),
        late: scope({ ...source, telemetry: late }, projectIds),
      }
    },
    deletedGroups,
    store,
  }
}

/** Texts. Most are constant; those of searches vary with their terms. */
const maxTexts = 500
const filled = new LRUCache<string, FilledQuery>({ max: maxTexts })

function fill(query: string): FilledQuery {
  const known = filled.get(query)
  if (known !== undefined) return known
  const text = fillScope(query)
  filled.set(query, text)
  return text
}
