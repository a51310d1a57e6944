import type { Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import type { Issue } from './find-issue.ts'

const ttlMs = 60_000

type IssueQuery<Value> = {
  name: string
  filter: IssueEventFilter
  detail?: string
  isCacheable?: (value: Value) => boolean
}

/**
 * Caches a telemetry query about an issue until the issue has more events: opening the page from its peek or stepping through
 * events reads the same rows. Digest writes rows before it counts them, so a cached result is never older than the event count
 * in its key. The TTL of a minute covers expired events and results that depend on other data.
 */
export function cacheIssueQuery<Value>(
  viewer: Viewer,
  issue: Issue,
  { isCacheable = () => true, ...query }: IssueQuery<Value>,
  load: () => Promise<Value>,
): Promise<Value> {
  const { id, eventCount, lastSeen, hashes } = issue
  const name = ['issue', id, eventCount, lastSeen, hashes.join(), query]
  return cacheQuery(viewer, { name, ttlMs, isCacheable }, load)
}
