/**
 * The event that an issue opens with: each point of its detail score counts as much as being half a day newer. So a busy issue opens
 * with one of the last minutes that has everything, and a quiet one with the replay of yesterday rather than with the bare event of
 * today. Digest keeps the best of each hash, and any order of arrival ends in the same one.
 */
import type { Transaction } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheIssueQuery } from '#domain/issues/cache-issue-query.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { detailScore } from '#store/telemetry/detail-score.ts'
import { type EventRow, noId } from '#store/telemetry/rows.ts'
import { detailScoreIn, filterSpan, type IssueEventFilter } from './event-scope.ts'
import type { StoredEvent } from './find-event.ts'
import { spanIdOf } from './read-columns.ts'

const pointMs = 12 * 3_600_000
/** A browser's report of an error whose stack the server has sent: the server's is shown instead. It weighs nothing. */
const linkedPoints = -60

/** A client's clock may be ahead, and its events would stay on top. */
const rankOf = (row: EventRow): number =>
  Math.min(row.timestamp, row.received_at) + (detailScore(row) + (row.weight === 0 ? linkedPoints : 0)) * pointMs

/** The same for the rows of a query. */
export const rankSql = (source: string): string =>
  `toUnixTimestamp64Milli(least(events.timestamp, events.received_at)) + (${detailScoreIn(source)} + if(weight = 0, ${linkedPoints}, 0)) * ${pointMs}`

/** Best first. The id as a text, because UUIDs are ordered by their second half. */
export const byRankSql = (source: string): string => `${rankSql(source)} DESC, toString(events.event_id) DESC`

/** Where an event is, and what leads to the rest of its page: enough to read all of that at once. */
export type EventPlace = Pick<StoredEvent, 'event_id' | 'timestamp' | 'received_at' | 'trace_id' | 'span_id'>

/** `span_id` as digest writes it, '0' without one. */
export type RecommendedEvent = ControlSchema['recommended_event']

/** Keeps the best of the events that were stored. A repeat changes nothing. */
export async function keepRecommended(
  trx: Transaction<ControlSchema>,
  events: readonly RecommendedEvent[],
): Promise<void> {
  for (const chunk of chunksOf(bestOfEach(events), rowsAtOnce))
    await trx
      .insertInto('recommended_event')
      .values(chunk)
      .onConflict(conflict =>
        conflict
          .columns(['project_id', 'group_version', 'group_hash'])
          .doUpdateSet(({ ref }) => ({
            rank: ref('excluded.rank'),
            at: ref('excluded.at'),
            received_at: ref('excluded.received_at'),
            event_id: ref('excluded.event_id'),
            trace_id: ref('excluded.trace_id'),
            span_id: ref('excluded.span_id'),
            environment: ref('excluded.environment'),
          }))
          .where(({ eb, or, and, ref }) =>
            or([
              eb('excluded.rank', '>', ref('recommended_event.rank')),
              and([
                eb('excluded.rank', '=', ref('recommended_event.rank')),
                eb('excluded.event_id', '>', ref('recommended_event.event_id')),
              ]),
            ]),
          ),
      )
      .execute()
}

const rowsAtOnce = 100

export const toRecommended = (row: EventRow): RecommendedEvent => ({
  project_id: row.project_id,
  group_version: row.group_version,
  group_hash: row.group_hash,
  rank: rankOf(row),
  at: row.timestamp,
  received_at: row.received_at,
  event_id: row.event_id,
  trace_id: row.trace_id,
  span_id: row.span_id,
  // PostgreSQL rejects U+0000 in text.
  environment: row.environment.replaceAll('\0', ''),
})

/** Sorted by key, so that two nodes lock the same rows in the same order. */
function bestOfEach(rows: readonly RecommendedEvent[]): RecommendedEvent[] {
  const best = new Map<string, RecommendedEvent>()
  for (const row of rows) {
    const key = `${row.project_id}:${row.group_version}:${row.group_hash}`
    const known = best.get(key)
    if (!known || row.rank > known.rank || (row.rank === known.rank && row.event_id > known.event_id))
      best.set(key, row)
  }
  return [...best.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

/**
 * The recommended event as digest has kept it, if the filter includes it: then it is the best of those too. It may have been deleted
 * since. Null where a query has to find it: in a search, and for issues without a new event since this is kept.
 */
export async function findRecommended(
  viewer: Viewer,
  issue: Issue,
  filter: IssueEventFilter,
): Promise<EventPlace | null> {
  if ((filter.terms ?? []).length > 0) return null
  const kept = await cacheIssueQuery(viewer, issue, { name: 'recommended', filter: {} }, () => readBest(viewer, issue))
  if (!kept) return null
  const { from, to } = filterSpan(filter, viewer.now)
  if (kept.at < (from ?? 0) || kept.at > (to ?? Number.POSITIVE_INFINITY)) return null
  if (filter.environment && kept.environment !== filter.environment) return null
  return {
    event_id: kept.event_id,
    timestamp: kept.at,
    received_at: kept.received_at,
    trace_id: kept.trace_id || noId,
    span_id: spanIdOf(kept.span_id),
  }
}

/** An issue that was merged has several hashes. */
const readBest = (viewer: Viewer, issue: Issue): Promise<RecommendedEvent | undefined> =>
  viewer.control
    .within([issue.projectId])
    .issueHashes()
    .innerJoin('recommended_event', join =>
      join
        .onRef('recommended_event.project_id', '=', 'issue_hash.project_id')
        .onRef('recommended_event.group_version', '=', 'issue_hash.group_version')
        .onRef('recommended_event.group_hash', '=', 'issue_hash.group_hash'),
    )
    .selectAll('recommended_event')
    .where('issue_hash.issue_id', '=', issue.id)
    .orderBy('recommended_event.rank', 'desc')
    .orderBy('recommended_event.event_id', 'desc')
    .limit(1)
    .executeTakeFirst()
