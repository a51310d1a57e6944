import type { Viewer } from '#domain/access/viewer.ts'
import { cacheSettled } from '#domain/cache/cached-query.ts'
import type { StoredEvent } from '#domain/events/find-event.ts'
import { type Cell, explore } from '#domain/explore/explore.ts'
import { readUuid } from '#domain/explore/read-value.ts'
import { isNoFeedbackSql } from '#lib/event-kind.ts'
import { type ListedError, listErrors } from './list-errors.ts'
import type { TraceRange } from './list-trace-spans.ts'
import { traceParams, traceScope } from './trace-scope.ts'

/** The errors of a trace, oldest first, each with its issue. */
export const listTraceErrors = (viewer: Viewer, traceId: string, near?: number): Promise<ListedError[]> =>
  listErrors(viewer, { where: `${traceScope} AND ${isNoFeedbackSql}`, params: traceParams(traceId, near) })

/** The errors of an event's trace, cached for the parts of one page. */
export const listCachedTraceErrors = (
  viewer: Viewer,
  { trace_id: traceId, timestamp }: Traced,
): Promise<ListedError[]> =>
  cacheSettled(viewer, { name: ['trace errors', traceId], at: timestamp }, () =>
    listTraceErrors(viewer, traceId, timestamp),
  )

const fields = [
  'id',
  'issue.id',
  'issue',
  'project.id',
  'project',
  'title',
  'culprit',
  'level',
  'timestamp',
  'span_id',
  'transaction',
]
const maxExploredErrors = 100

/** The errors of a trace, newest first, for the API. */
export async function exploreTraceErrors(
  viewer: Viewer,
  traceId: string,
  range: TraceRange,
): Promise<Record<string, Cell>[]> {
  if (readUuid(traceId) === null) return []
  const query = { dataset: 'errors', fields, query: `trace:${traceId}`, sort: ['-timestamp'] }
  const found = await explore(viewer, query, range, { limit: maxExploredErrors, offset: 0 })
  return found.ok ? found.rows : []
}

/** The fields of an event that lead to its trace. */
export type Traced = Pick<StoredEvent, 'trace_id' | 'span_id' | 'timestamp'>
