import { LRUCache } from 'lru-cache'
import type { Query } from '../query.ts'
import type { Telemetry } from '../telemetry.ts'
import { fillScope, scopeParameter } from './fill-scope.ts'

/**
 * Telemetry as one viewer may read it. Every SELECT of a query begins its WHERE with `{scope}`, which stands for the condition on
 * the projects; a query without it is refused before it is sent (`fill-scope.ts`).
 */
export type ScopedTelemetry = {
  /** The schema describes one row. */
  query<Row>(query: Query<Row>): Promise<Row[]>
  /** For thousands of short rows: the result has an array per column, and the schema describes all of them. */
  columns<Columns>(query: Query<Columns>): Promise<Columns>
  /** The same with fewer projects. Ids outside of the scope are ignored, and `undefined` means all projects of the scope. */
  within(projectIds: readonly number[] | undefined): ScopedTelemetry
  /** The same object for all scopes of one store: caches hold one map for each store. */
  readonly store: object
}

export function scopeTelemetry(telemetry: Telemetry, projectIds: readonly number[]): ScopedTelemetry {
  const scoped = <Result>({ query, params = {}, ...rest }: Query<Result>): Query<Result> => {
    if (scopeParameter in params) throw new Error(`The parameter ${scopeParameter} is set by the scope`)
    // No project has the id 0: an empty scope matches no rows.
    const scope = projectIds.length === 0 ? [0] : projectIds
    return { ...rest, query: fill(query), params: { ...params, [scopeParameter]: scope } }
  }
  return {
    query: async query => telemetry.query(scoped(query)),
    columns: async query => telemetry.columns(scoped(query)),
    within: chosen =>
      chosen === undefined
        ? scopeTelemetry(telemetry, projectIds)
        : scopeTelemetry(
            telemetry,
            projectIds.filter(id => chosen.includes(id)),
          ),
    store: telemetry,
  }
}

/** Texts. Most are constant; those of searches vary with their terms. */
const maxTexts = 500
const filled = new LRUCache<string, string>({ max: maxTexts })

function fill(query: string): string {
  const known = filled.get(query)
  if (known !== undefined) return known
  const text = fillScope(query)
  filled.set(query, text)
  return text
}
