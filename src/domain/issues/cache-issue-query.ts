import type { Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import type { Issue } from './find-issue.ts'

const ttlMs = 60_000

/**
 * What telemetry says of an issue's events, asked again only once there are more of them: whoever opens a page from its peek, goes
 * from one event to the next or comes back asks the same of the same rows. Rows are there before they are counted, so an answer
 * is never older than the count it is kept under; after a minute it is read anew, for what left with its day and what depends on more than its
 * events.
 */
export function cacheIssueQuery<Value>(
  viewer: Viewer,
  issue: Issue,
  query: { name: string; filter: IssueEventFilter; detail?: string },
  load: () => Promise<Value>,
): Promise<Value> {
  const { id, eventCount, lastSeen, hashes } = issue
  const key = JSON.stringify(['issue', viewer.organization.id, id, eventCount, lastSeen, hashes.join(), query])
  return cacheQuery(viewer, { key, ttlMs }, load)
}
