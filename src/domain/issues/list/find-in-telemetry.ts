import { z } from 'zod'
import { type Bind, boundParams, containsPattern } from '#domain/events/event-condition.ts'
import type { ScopedTelemetry } from '#store/telemetry/scope/scoped-telemetry.ts'
import { mirrorColumns } from '../mirror/mirror-rows.ts'
import { issueStatesSql, type PendingStates } from '../mirror/pending-states.ts'
import { eventSumsSql } from './count-in-range.ts'
import type { Claim, Condition, IssueConditions, RangeCondition } from './issue-conditions.ts'
import { measureFields, sortMeasures, textColumns } from './issue-fields.ts'
import {
  type IssueCursor,
  type IssueHits,
  type IssueRange,
  type IssueSort,
  readBars,
  sparkShape,
} from './issue-filter.ts'

type Query = {
  pending: PendingStates
  conditions: IssueConditions
  range: IssueRange
  environment: string | undefined
  sort: IssueSort
  after: IssueCursor | undefined
  limit: number
  /** Whether users and bars are needed for rows, or only ids. */
  isForRows: boolean
}

const row = z.object({
  id: z.coerce.number(),
  events: z.coerce.number(),
  users: z.coerce.number(),
  bars: z.array(z.coerce.number()),
  keys: z.array(z.coerce.number()),
  total: z.coerce.number(),
  rest: z.coerce.number(),
})

/**
 * A page of a search with conditions on single events. The matching events are summed by hash, joined with the mirror of issue
 * states, and summed again by issue. Counts, sort and paging are those of the matching events.
 */
export async function findInTelemetry(telemetry: ScopedTelemetry, query: Query): Promise<IssueHits> {
  const { pending, conditions, range, environment, sort, after, isForRows } = query
  const { params, bind } = boundParams()
  const keys = sortMeasures[sort]
  const hasUsers = isForRows || sort === 'users' || conditions.ranges.some(({ of }) => of === 'users')
  const having = conditions.ranges.map(condition => writeRange(condition, bind))
  const columns = [...keys, 'id']
  const beyond = after
    ? `WHERE tuple(${columns.join(', ')}) ${after.isBackward ? '>' : '<'}
        tuple(${[...after.keys, after.id].map(key => bind(key, 'Int64')).join(', ')})`
    : ''
  const spark = isForRows ? sparkShape(range) : null
  const sums = eventSumsSql({ range, events: conditions.events, environment, hasUsers, spark }, bind)
  const states = issueStatesSql(pending, bind, {
    columns: ['project_id', 'group_hash', 'issue_id', 'substatus', 'level', 'first_seen'],
    conditions: conditions.state.map(one => writeCondition(one, bind)),
  })
  const rows = await telemetry.query({
    // Counted before the cursor leaves rows out, so that a later page knows its position.
    query: `
      SELECT id, events, users, bars, keys, total, count() OVER () AS rest
      FROM (
        SELECT
          states.issue_id AS id,
          ${measured(hasUsers)},
          ${spark ? 'sumForEach(found.bars)' : '[]'} AS bars,
          [${keys.join(', ')}] AS keys,
          count() OVER () AS total
        FROM (${sums}) AS found
        GLOBAL INNER JOIN (${states}) AS states ON states.project_id = found.project_id AND states.group_hash = found.group_hash
        GROUP BY id
        ${having.length > 0 ? `HAVING ${having.join(' AND ')}` : ''}
      )
      ${beyond}
      ORDER BY ${columns.map(key => `${key} ${after?.isBackward ? 'ASC' : 'DESC'}`).join(', ')}
      LIMIT ${bind(query.limit, 'UInt32')}`,
    params,
    schema: row,
  })
  const hits = rows.map(({ id, keys: values }) => ({ id, keys: values }))
  return {
    hits: after?.isBackward ? hits.toReversed() : hits,
    total: rows[0]?.total ?? (after ? null : 0),
    rest: rows[0]?.rest ?? 0,
    ...(isForRows
      ? { counts: new Map(rows.map(({ id, events, users, bars }) => [id, { events, users, bars: readBars(bars) }])) }
      : {}),
  }
}

const measured = (hasUsers: boolean): string =>
  Object.entries(measureFields)
    .map(([name, { telemetry }]) => `${name === 'users' && !hasUsers ? 'toInt64(0)' : telemetry} AS ${name}`)
    .join(', ')

function writeCondition({ isNegated, any }: Condition, bind: Bind): string {
  const claims = any.map(test => `(${test.map(claim => writeClaim(claim, bind)).join(' AND ')})`).join(' OR ')
  return isNegated ? `NOT (${claims || '0'})` : `(${claims || '0'})`
}

function writeClaim(claim: Claim, bind: Bind): string {
  if (claim.kind === 'compare')
    return `${claim.column} ${claim.comparison} ${bind(claim.value, mirrorColumns[claim.column])}`
  const pattern = bind(containsPattern(claim.value), 'String')
  return `(${textColumns.map(column => `${column} ILIKE ${pattern}`).join(' OR ')})`
}

function writeRange({ of, min, max, isNegated }: RangeCondition, bind: Bind): string {
  return `${isNegated ? 'NOT ' : ''}(${of} >= ${bind(min, 'Int64')} AND ${of} <= ${bind(max, 'Int64')})`
}
