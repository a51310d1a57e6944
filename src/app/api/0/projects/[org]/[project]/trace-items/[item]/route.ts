import { findTraceSpan } from '#queries/trace/find-trace-span.ts'
import { apiError, apiNotFound } from '#web/api/api-error.ts'
import { defineProjectRoute } from '#web/api/define-api-route.ts'
import { describeSpan } from '#web/api/reading/describe-span.ts'
import { readFilter } from '#web/api/reading/read-filter.ts'

/** One span by its id, with everything it carries. The trace has to be named: a span's id alone is in no index. */
export const GET = defineProjectRoute({ needs: 'event:read' }, async ({ viewer, project, params, search }) => {
  const traceId = search.get('trace_id') ?? search.get('traceId') ?? ''
  if (traceId === '') return apiError(400, 'Say which trace: trace_id is missing.')
  const range = readFilter(viewer, search)
  if (range instanceof Response) return range
  const span = await findTraceSpan(viewer, { projectId: project.id, traceId, spanId: params.item ?? '' }, range)
  return span ? Response.json(describeSpan(span)) : apiNotFound()
})
