/** Handlers about traces, their spans and their log lines. */
import { explore } from '#domain/explore/explore.ts'
import { readUuid } from '#domain/explore/read-value.ts'
import { findTraceSpan } from '#domain/traces/find-span.ts'
import { countTrace } from '#domain/traces/find-trace.ts'
import { listTraceSpans, nestSpans, repairParents } from '#domain/traces/list-trace-spans.ts'
import { exploreTraceErrors } from '#domain/traces/trace-errors.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiError, apiNotFound } from '../api-error.ts'
import { exploreResponse } from '../explore/explore-response.ts'
import { ofProject } from '../named-resources.ts'
import { readCount, readPage } from '../pages.ts'
import { faultResponse, readFilter } from '../read-filter.ts'
import { serializeSpan, serializeTrace } from './serialize-trace.ts'

const spanLimits = { usual: 1_000, max: 10_000 }

/** A trace as trees of spans, with their errors. */
export const getTrace: ApiHandler<'trace'> = async ({ viewer, params, search }) => {
  const range = readFilter(viewer, search)
  if (range instanceof Response) return range
  const traceId = params.trace.replaceAll('-', '')
  if (readUuid(traceId) === null) return apiNotFound()
  const limit = readCount(search, 'limit', spanLimits)
  if (limit instanceof Response) return limit
  const extra = search.getAll('additional_attributes')
  const [spans, errors] = await Promise.all([
    listTraceSpans(viewer, { traceId, attributes: extra, limit }, range),
    exploreTraceErrors(viewer, traceId, range),
  ])
  return Response.json(serializeTrace(viewer, nestSpans(repairParents(spans)), errors, extra))
}

/** Counts of spans, errors and logs in a trace. */
export const getTraceCounts: ApiHandler<'trace'> = async ({ viewer, params, search }) => {
  const range = readFilter(viewer, search)
  if (range instanceof Response) return range
  const traceId = params.trace.replaceAll('-', '')
  if (readUuid(traceId) === null) return apiNotFound()
  const counts = await countTrace(viewer, traceId, range)
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
}

/** One span with all attributes. Needs the trace id, because span ids alone are not indexed. */
export const getSpan = ofProject<'item'>(async ({ viewer, project, params, search }) => {
  const traceId = search.get('trace_id') ?? search.get('traceId') ?? ''
  if (traceId === '') return apiError(400, 'trace_id is missing.')
  const range = readFilter(viewer, search)
  if (range instanceof Response) return range
  const span = await findTraceSpan(viewer, { projectId: project.id, traceId, spanId: params.item }, range)
  return span ? Response.json(serializeSpan(span)) : apiNotFound()
})

const logFields = [
  'id',
  'sentry.item_id',
  'project.id',
  'trace',
  'severity_number',
  'severity',
  'timestamp',
  'timestamp_precise',
  'message',
]

/** The log lines of one or more traces. */
export const getTraceLogs: ApiHandler = async ({ viewer, request, search }) => {
  const traces = search.getAll('traceId')
  const invalid = traces.find(id => readUuid(id) === null)
  if (traces.length === 0 || invalid !== undefined)
    return apiError(400, `traceId must have 32 hex digits, but is ${JSON.stringify(invalid ?? '')}.`)
  const requested = readPage(search, { isKeyed: true })
  if (requested instanceof Response) return requested
  const page = { ...requested, asOf: requested.asOf ?? viewer.now }
  const filter = readFilter(viewer, search, page.asOf)
  if (filter instanceof Response) return filter
  const query = `trace:[${traces.join(',')}] ${search.get('query') ?? ''}`
  const sort = search.getAll('sort').filter(word => word !== '')
  const found = await explore(viewer, { dataset: 'logs', fields: logFields, query, sort }, filter, page)
  return found.ok ? exploreResponse(request, 'logs', found, page) : faultResponse(found)
}
