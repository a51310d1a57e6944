import { defineApiRoute } from '#api/define-api-route.ts'
import { readCount } from '#api/pages.ts'
import { readFilter } from '#api/read-filter.ts'
import { serializeTrace } from '#api/serialize-trace.ts'
import { listTraceSpans, nestSpans } from '#domain/traces/list-trace-spans.ts'
import { exploreTraceErrors } from '#domain/traces/trace-errors.ts'

const defaultLimit = 1_000
const maxLimit = 10_000

/** A trace as trees of spans, with their errors. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, params, search }) => {
  const range = readFilter(viewer, search)
  if (range instanceof Response) return range
  const traceId = (params.trace ?? '').replaceAll('-', '')
  const limit = readCount(search.get('limit'), { usual: defaultLimit, max: maxLimit })
  const extra = search.getAll('additional_attributes')
  const [spans, errors] = await Promise.all([
    listTraceSpans(viewer, { traceId, attributes: extra, limit }, range),
    exploreTraceErrors(viewer, traceId, range),
  ])
  return Response.json(serializeTrace(viewer, nestSpans(spans), errors, extra))
})
