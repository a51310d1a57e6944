import { exploreTraceErrors } from '#queries/trace/explore-trace-errors.ts'
import { listTraceSpans } from '#queries/trace/list-trace-spans.ts'
import { nestSpans } from '#queries/trace/nest-spans.ts'
import { defineApiRoute } from '#web/api/define-api-route.ts'
import { readCount } from '#web/api/read-count.ts'
import { describeTrace } from '#web/api/reading/describe-trace.ts'
import { readFilter } from '#web/api/reading/read-filter.ts'

const usualLimit = 1_000
const maxLimit = 10_000

/** A trace as trees of spans, with the errors that happened in them. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, params, search }) => {
  const range = readFilter(viewer, search)
  if (range instanceof Response) return range
  const traceId = (params.trace ?? '').replaceAll('-', '')
  const limit = readCount(search.get('limit'), { usual: usualLimit, most: maxLimit })
  const extra = search.getAll('additional_attributes')
  const [spans, errors] = await Promise.all([
    listTraceSpans(viewer, { traceId, attributes: extra, limit }, range),
    exploreTraceErrors(viewer, traceId, range),
  ])
  return Response.json(describeTrace(viewer, nestSpans(spans), errors, extra))
})
