import { apiError, apiNotFound } from '#api/api-error.ts'
import { defineProjectRoute } from '#api/define-api-route.ts'
import { readFilter } from '#api/read-filter.ts'
import { serializeSpan } from '#api/serialize-trace.ts'
import { findTraceSpan } from '#domain/traces/find-span.ts'

/** One span with all attributes. Needs the trace id, because span ids alone are not indexed. */
export const GET = defineProjectRoute({ needs: 'event:read' }, async ({ viewer, project, params, search }) => {
  const traceId = search.get('trace_id') ?? search.get('traceId') ?? ''
  if (traceId === '') return apiError(400, 'trace_id is missing.')
  const range = readFilter(viewer, search)
  if (range instanceof Response) return range
  const span = await findTraceSpan(viewer, { projectId: project.id, traceId, spanId: params.item ?? '' }, range)
  return span ? Response.json(serializeSpan(span)) : apiNotFound()
})
