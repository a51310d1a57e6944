import { type ExpressionBuilder, type ExpressionWrapper, type RawBuilder, type SqlBool, sql } from 'kysely'
import { containsPattern } from '#domain/events/event-condition.ts'
import { countUsersIn } from '#lib/user-sketch.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { ScopedControl } from '#store/control/scoped-control.ts'
import { hashPeriods } from '../counters/hash-periods.ts'
import type { EdgeCount } from './count-edge.ts'
import type { CountedIssue, CountedPeriods } from './count-in-range.ts'
import type { Claim, IssueCondition, IssueConditions, RangeCondition, StateCondition } from './issue-conditions.ts'
import { measureFields, sortMeasures, textColumns } from './issue-fields.ts'
import {
  type IssueCursor,
  type IssueHits,
  type IssueRange,
  type IssueSort,
  type RangeCounts,
  type SparkShape,
  toBars,
} from './issue-filter.ts'

type Totals = { issue_id: number; events: number; users: number; first_seen: number; last_seen: number }
type Tables = ControlSchema & { totals: Totals }
type Build = ExpressionBuilder<Tables, 'issue' | 'totals'>
type Bool = ExpressionWrapper<Tables, 'issue' | 'totals', SqlBool> | RawBuilder<SqlBool>

/** Whole hours or days, and what telemetry has counted before the first of them. */
export type RangeInControl = CountedPeriods & { edgeCounts: readonly EdgeCount[] }

type Query = {
  conditions: IssueConditions
  range: IssueRange
  now: number
  /** The hours or days to sum; without them, events are counted over all time. */
  counted: RangeInControl | null
  sort: IssueSort
  after: IssueCursor | undefined
  limit: number
  among?: readonly number[] | undefined
}

/**
 * A page of a search that has no conditions on single events. Issues are summed from their hashes with a covering index, and
 * sorted by the events of the range if control has counted them by hour or day.
 */
export async function findInControl(control: ScopedControl, query: Query): Promise<IssueHits> {
  const { counted, after } = query
  const ranged = counted === null ? null : rangedEvents(control, counted)
  const measures = sortMeasures[query.sort]
  const keys = measures.map(measure => measureFields[measure].control(ranged))
  const edge = measures.includes('events') ? (counted?.edgeCounts ?? []) : []
  const all = matching(control, query)
    .leftJoin(edgeEvents(control, edge), 'edge.issue_id', 'issue.id')
    .select('issue.id as hit_id')
    .select(keys.map((key, index) => key.as(`key${index}`)))
    .select(sql<number>`count(*) over ()`.as('total'))
  const columns = [...keys.map((_, index) => sql.ref<number>(`hits.key${index}`)), sql.ref<number>('hits.hit_id')]
  const direction = sql.raw(after?.isBackward ? 'asc' : 'desc')
  const page = control
    .issues()
    .innerJoin(all.as('hits'), 'hits.hit_id', 'issue.id')
    .selectAll('hits')
    // Counted before the cursor leaves rows out, so that a later page knows its position.
    .select((after === undefined ? sql<number>`total` : sql<number>`count(*) over ()`).as('rest'))
    .orderBy(sql`${sql.join(columns.map(column => sql`${column} ${direction}`))}`)
    .limit(query.limit)
    .$if(after !== undefined, rows => rows.where(() => isBeyond(columns, after)))
  const rows = (await page.execute()) as unknown as Record<string, number>[]
  const hits = rows.map(row => ({ id: row.hit_id ?? 0, keys: keys.map((_, index) => row[`key${index}`] ?? 0) }))
  return {
    hits: after?.isBackward ? hits.toReversed() : hits,
    total: rows[0]?.total ?? (after === undefined ? 0 : null),
    rest: rows[0]?.rest ?? 0,
  }
}

/**
 * The events of an issue within the range. Summed for each issue that matches, by the key of its hashes: all periods of all hashes, summed
 * and then joined, take SQLite half as long again.
 */
function rangedEvents(control: ScopedControl, counted: RangeInControl): RawBuilder<number> {
  const whole = hashPeriods(control, counted)
    .select(({ fn }) => fn.sum<number>('periods.event_count').as('events'))
    .whereRef('issue_hash.issue_id', '=', sql.ref('issue.id'))
  return sql<number>`coalesce((${whole}), 0) + coalesce(edge.events, 0)`
}

/** What telemetry has counted before the first whole period, by issue. */
function edgeEvents(control: ScopedControl, counts: readonly EdgeCount[]) {
  type EdgeRow = { issue_id: number; events: number }
  if (counts.length === 0)
    return sql<EdgeRow>`(select id as issue_id, 0 as events from issue where id < 0)`.as<'edge'>(sql.ref('edge'))
  return sql<EdgeRow>`(
    select hashes.issue_id, sum(counts.events) as events
    from ${control.givenCounts(counts)} as counts
    inner join issue_hash as hashes on hashes.project_id = counts.project_id
      and hashes.group_version = counts.group_version and hashes.group_hash = counts.group_hash
    group by hashes.issue_id
  )`.as<'edge'>(sql.ref('edge'))
}

function isBeyond(columns: RawBuilder<number>[], after: IssueCursor | undefined): RawBuilder<SqlBool> {
  const values = [...(after?.keys ?? []), after?.id ?? 0]
  return sql<SqlBool>`(${sql.join(columns)}) ${sql.raw(after?.isBackward ? '>' : '<')} (${sql.join(values)})`
}

function matching(control: ScopedControl, { conditions, range, now, among }: Query) {
  const totals = control
    .issueHashes()
    .select(({ fn }) => [
      'issue_id',
      fn.sum<number>('event_count').as('events'),
      fn.sum<number>('user_count').as('users'),
      fn.min<number>('first_seen').as('first_seen'),
      fn.max<number>('last_seen').as('last_seen'),
    ])
    .$if(among !== undefined, rows => rows.where('issue_id', 'in', among ?? []))
    .groupBy('issue_id')
    .having(({ and, or, eb, fn }) =>
      and([
        eb(fn.max('last_seen'), '>=', range.from),
        // Issues that arrived while the server's clock was ahead belong to the list, too.
        or([eb(fn.min('first_seen'), '<=', range.to), eb(fn.min('first_seen'), '>', now)]),
      ]),
    )
  return control
    .issues()
    .innerJoin(totals.as('totals'), 'totals.issue_id', 'issue.id')
    .where(eb => {
      const build = eb as unknown as Build
      return build.and(conditions.map(condition => writeCondition(control, build, condition)))
    })
}

function writeCondition(control: ScopedControl, eb: Build, condition: IssueCondition): Bool {
  switch (condition.kind) {
    case 'group': {
      const members = condition.of.map(each => writeCondition(control, eb, each))
      const joined = condition.match === 'some' ? eb.or(members) : eb.and(members)
      return condition.isNegated ? eb.not(joined) : joined
    }
    case 'range':
      return writeRange(eb, condition)
    case 'state':
      return writeState(control, eb, condition)
    case 'event':
      throw new Error('control has no events')
  }
}

function writeState(control: ScopedControl, eb: Build, { isNegated, any }: StateCondition): Bool {
  const claims = eb.or(any.map(test => eb.and(test.map(claim => writeClaim(control, eb, claim)))))
  return isNegated ? eb.not(claims) : claims
}

function writeClaim(control: ScopedControl, eb: Build, claim: Claim): Bool {
  if (claim.kind === 'ids') return sql<SqlBool>`issue.id in ${control.givenIds(claim.ids)}`
  if (claim.kind === 'compare') {
    const column = sql.ref(`issue.${claim.column}`)
    return sql<SqlBool>`${column} ${sql.raw(claim.comparison)} ${claim.value}`
  }
  const pattern = containsPattern(claim.value)
  return eb.or(textColumns.map(column => control.isLike(`issue.${column}`, pattern)))
}

function writeRange(eb: Build, { of, min, max, isNegated }: RangeCondition): Bool {
  const measure = measureFields[of].control(null)
  const within = sql<SqlBool>`(${measure} >= ${min} and ${measure} <= ${max})`
  return isNegated ? eb.not(within) : within
}

/** Like `countInRange`, from the hours and days that digest has counted, for a search without conditions on single events. */
export async function countInControl(
  control: ScopedControl,
  issues: readonly CountedIssue[],
  counted: RangeInControl,
  { bars, barMs }: SparkShape,
): Promise<Map<number, RangeCounts>> {
  if (issues.length === 0) return new Map()
  const { column, until, periodMs, edge, edgeCounts } = counted
  const found = await hashPeriods(control, counted)
    .select(['issue_hash.issue_id', `periods.${column} as period`, 'periods.event_count', 'periods.user_sketch'])
    .where(
      'issue_hash.issue_id',
      'in',
      issues.map(({ id }) => id),
    )
    .execute()
  const rows = found.flatMap(({ period, event_count: events, ...row }) =>
    period === null || events === null ? [] : [{ ...row, period, events }],
  )
  const periodsOf = Map.groupBy(rows, row => row.issue_id)
  const edges = new Map(edgeCounts.map(row => [`${row.projectId} ${row.hash}`, row]))
  const barOf = (at: number): number => Math.floor(at / barMs)
  const last = barOf((until + 1) * periodMs - 1)
  return new Map(
    issues.map(({ id, projectId, hashes }) => {
      const periods = periodsOf.get(id) ?? []
      const before = hashes.flatMap(hash => edges.get(`${projectId} ${hash}`) ?? [])
      const counts = [
        ...periods.map(({ period, events }) => [last - barOf(period * periodMs), events] as const),
        ...before.map(({ events }) => [last - barOf(edge?.from ?? 0), events] as const),
      ]
      const users = countUsersIn(
        periods.flatMap(({ user_sketch: bytes }) => bytes ?? []),
        before.flatMap(row => row.users),
      )
      return [
        id,
        {
          events: Math.round(counts.reduce((sum, [, count]) => sum + count, 0)),
          users,
          bars: toBars(counts, bars),
          isSampled: before.some(row => row.isSampled),
        },
      ]
    }),
  )
}
