import type { Viewer } from '#domain/access/viewer.ts'
import { cacheIssueQuery } from '#domain/issues/cache-issue-query.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { noId } from '#store/telemetry/rows.ts'
import { filterSpan, type IssueEventFilter } from './event-scope.ts'
import type { StoredEvent } from './find-event.ts'
import { spanIdOf } from './read-columns.ts'

/** Where an event is, and what leads to the rest of its page: enough to read all of that at once. */
export type EventPlace = Pick<StoredEvent, 'event_id' | 'timestamp' | 'received_at' | 'trace_id' | 'span_id'>

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
const readBest = (viewer: Viewer, issue: Issue): Promise<ControlSchema['recommended_event'] | undefined> =>
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
