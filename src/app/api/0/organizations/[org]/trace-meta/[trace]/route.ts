import { defineApiRoute } from '#api/define-api-route.ts'
import { readFilter } from '#api/read-filter.ts'
import { countTrace } from '#domain/traces/find-trace.ts'

/** Counts of spans, errors and logs in a trace. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, params, search }) => {
  const range = readFilter(viewer, search)
  if (range instanceof Response) return range
  const counts = await countTrace(viewer, (params.trace ?? '').replaceAll('-', ''), range)
  return Response.json({
    logs: counts.logs,
    errors: counts.errors,
    performance_issues: 0,
    span_count: counts.spans,
    span_count_map: counts.spansByOp,
    transaction_child_count_map: counts.spansBySegment.map(([segment, count]) => ({
      'transaction.event_id': segment,
      'transaction.id': segment,
      'count()': count,
    })),
  })
})
