import { z } from 'zod'
import { boundParams } from '#domain/events/event-condition.ts'
import type { ScopedTelemetry } from '#store/telemetry/scope/scoped-telemetry.ts'
import { type PendingStates, shareStates } from '../mirror/pending-states.ts'
import { eventSumsSql } from './count-in-range.ts'
import { eventTerms, type IssueConditions, leafConditions } from './issue-conditions.ts'
import { measureFields, sortMeasures } from './issue-fields.ts'
import {
  type IssueCursor,
  type IssueHits,
  type IssueRange,
  type IssueSort,
  readBars,
  sparkShape,
} from './issue-filter.ts'
import { telemetryConditions } from './telemetry-conditions.ts'

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
  last_seen: z.coerce.number(),
  is_sampled: z.coerce.boolean(),
})

/** A condition that is read by itself, before the next one, is a further pass through every part, and most rows are in the range anyway. */
const settings = { enable_multiple_prewhere_read_steps: 0 }

/**
 * A page of a search with conditions on single events. The matching events are summed by hash, joined with the mirror of issue
 * states, and summed again by issue. Counts, sort and paging are those of the matching events.
 */
export async function findInTelemetry(telemetry: ScopedTelemetry, query: Query): Promise<IssueHits> {
  const { pending, conditions, range, environment, sort, after, isForRows } = query
  const { params, bind } = boundParams()
  const statesSql = shareStates(pending, bind)
  const keys = sortMeasures[sort]
  const hasUsers = isForRows || sort === 'users' || isAboutUsers(conditions)
  const {
    states: ofStates,
    events: ofEvents,
    having,
    bits,
  } = telemetryConditions(conditions, {
    bind,
    hashesOf: condition => statesSql({ columns: ['project_id', 'group_hash'], conditions: [condition] }),
  })
  const columns = [...keys, 'id']
  const beyond = after
    ? `WHERE tuple(${columns.join(', ')}) ${after.isBackward ? '>' : '<'}
        tuple(${[...after.keys, after.id].map(key => bind(key, 'Int64')).join(', ')})`
    : ''
  const spark = isForRows ? sparkShape(range) : null
  const sums = eventSumsSql(
    { range, terms: eventTerms(conditions), conditions: ofEvents, environment, bits, hasUsers, spark },
    bind,
  )
  const states = statesSql({
    columns: ['project_id', 'group_hash', 'issue_id', 'substatus', 'level', 'is_unhandled', 'impact', 'first_seen'],
    conditions: ofStates,
  })
  const rows = await telemetry.query({
    // Counted before the cursor leaves rows out, so that a later page knows its position.
    query: `
      SELECT id, events, users, bars, keys, total, is_sampled, lastSeen AS last_seen, count() OVER () AS rest
      FROM (
        SELECT
          states.issue_id AS id,
          ${measured(hasUsers)},
          ${spark ? 'sumForEach(found.bars)' : '[]'} AS bars,
          [${keys.join(', ')}] AS keys,
          count() OVER () AS total,
          ${hasUsers ? 'max(found.is_sampled)' : '0'} AS is_sampled
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
    settings,
  })
  const hits = rows.map(({ id, keys: values }) => ({ id, keys: values }))
  return {
    hits: after?.isBackward ? hits.toReversed() : hits,
    total: rows[0]?.total ?? (after ? null : 0),
    rest: rows[0]?.rest ?? 0,
    ...(isForRows
      ? {
          counts: new Map(
            rows.map(({ id, events, users, bars, is_sampled: isSampled, last_seen: lastSeen }) => [
              id,
              { events, users, bars: readBars(bars), isSampled, lastSeen },
            ]),
          ),
        }
      : {}),
  }
}

const measured = (hasUsers: boolean): string =>
  Object.entries(measureFields)
    .map(([name, { telemetry }]) => `${name === 'users' && !hasUsers ? 'toInt64(0)' : telemetry} AS ${name}`)
    .join(', ')

const isAboutUsers = (conditions: IssueConditions): boolean =>
  leafConditions(conditions).some(leaf => leaf.kind === 'range' && leaf.of === 'users')
