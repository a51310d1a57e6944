/** Builds the row of a span, whatever the SDK sent: a v2 container, a transaction or a single span. */
import { countOf, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { routeSyntaxOf, spanNameOf } from '#react/frameworks/find-frameworks.ts'
import type { RouteSyntax } from '#react/frameworks/framework.ts'
import { routeOf } from '#react/route.ts'
import { isPrefetch, isSdkTransport } from '#react/router-fetch.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { type Facts, userHashOf } from '../../attributes/facts.ts'
import type { Flat } from '../../attributes/flatten.ts'
import { limits } from '../../limits.ts'
import { readIdOrNone, readSpanId } from '../../normalize/ids.ts'
import { readUserAgent } from '../../normalize/read-user-agent.ts'
import { readTimeMs, sampleRate } from '../../normalize/times.ts'
import type { Notes } from '../../notes.ts'
import { itemTimeMs, type RecordContext } from '../../record-context.ts'

/** The fields of a span outside its attributes. Missing texts are ''. */
export type SpanFields = {
  startMs: number
  endMs: number
  traceId: string
  spanId: string
  parentSpanId: string
  isSegment: boolean
  name: string
  status: 'ok' | 'error'
  platform: string
  links: string
  data: string
}

export function spanRow(fields: SpanFields, { attributes, numbers, facts }: Flat, context: RecordContext): SpanRow {
  const op = name(facts.op)
  const source = name(facts.source ?? facts.spanSource ?? facts.oldSource)
  const sdkName = name(facts.sdkName)
  const origin = name(facts.origin)
  const syntax = routeSyntaxOf(sdkName || textOf(context.sdk?.name), origin)
  const spanName = spanNameOf(syntax, fields.name)
  const sentSegmentName = spanNameOf(syntax, name(facts.segmentName ?? facts.oldSegmentName))
  const segmentName = sentSegmentName || (fields.isSegment ? spanName : '')
  const routeRaw = rawRoute(facts, fields.isSegment, op, segmentName, source, syntax)
  const url = textOf(facts.urlFull ?? facts.oldUrl ?? facts.plainUrl ?? facts.urlPath ?? facts.oldTarget)
  const userId = textOf(facts.userId)
  const client = readUserAgent(userAgentOf(facts))
  const segmentId = readSpanId(facts.segmentId ?? facts.oldSegmentId)
  // Usually left out of the attributes because the column holds it, but the column cannot hold an invalid id.
  if (segmentId === '0' && typeof facts.segmentId === 'string') attributes['sentry.segment.id'] = facts.segmentId
  return {
    project_id: context.projectId,
    timestamp: Math.round(fields.startMs * 1e3),
    duration_us: countOf((fields.endMs - fields.startMs) * 1e3),
    received_at: context.receivedAt,
    retention_days: context.retentionDays.rest,
    weight: 1,
    client_sample_rate: facts.sampleRate === undefined ? context.clientSampleRate : sampleRate(facts.sampleRate),
    trace_id: fields.traceId,
    span_id: fields.spanId,
    parent_span_id: fields.parentSpanId,
    segment_id: segmentId === '0' && fields.isSegment ? fields.spanId : segmentId,
    is_segment: fields.isSegment,
    segment_name: segmentName,
    segment_source: fields.isSegment ? source : '',
    name: spanName,
    op,
    origin,
    status: fields.status,
    platform: name(facts.platform) || fields.platform,
    environment: name(facts.environment),
    release: name(facts.release),
    dist: name(facts.dist),
    server_name: name(facts.serverName ?? facts.oldServerName ?? facts.hostName),
    route_raw: routeRaw,
    route: routeOf(routeRaw, syntax),
    method: name(facts.method ?? facts.oldMethod),
    status_code: countOf(facts.statusCode ?? facts.oldStatusCode, 65_535),
    url,
    is_prefetch: isPrefetch(facts),
    is_sdk_transport: isSdkTransport(url),
    user_hash: userHashOf(facts, context.projectId),
    user_id: userId,
    replay_id: readIdOrNone(facts.replayId),
    sdk_name: sdkName,
    sdk_version: name(facts.sdkVersion),
    browser_name: name(facts.browserName) || client.browserName,
    os_name: client.osName || name(facts.osName),
    device: client.device || name(facts.deviceModel ?? facts.deviceFamily),
    attributes,
    numbers,
    links: fields.links,
    data: fields.data,
    profiler_id: readIdOrNone(attributes['sentry.profiler_id']),
  }
}

/** Text for a LowCardinality column. */
function name(value: unknown): string {
  const text = textOf(value)
  return clipText(text, limits.nameChars)
}

/**
 * An outgoing request belongs to the route of its segment, not to that of the other server. A segment that is named by its raw path
 * has no route: every id would become one.
 */
function rawRoute(
  facts: Facts,
  isSegment: boolean,
  op: string,
  segmentName: string,
  source: string,
  syntax: RouteSyntax,
): string {
  const own = op === 'http.client' && !isSegment ? undefined : (facts.httpRoute ?? facts.nextRoute ?? facts.urlTemplate)
  if (typeof own === 'string' && own !== '') return name(syntax.hasBareRoutes && !own.startsWith('/') ? `/${own}` : own)
  return source === 'url' || routeOf(segmentName, syntax) === '' ? '' : segmentName
}

function userAgentOf(facts: Facts): string {
  const header = facts.headerUserAgent
  return textOf(facts.userAgent ?? (Array.isArray(header) ? header[0] : header) ?? facts.oldUserAgent)
}

/**
 * Streamed spans only have ok and error; the finer status of older spans goes where new SDKs put it. A canceled span,
 * such as a page load in a tab that was hidden or closed, has not failed.
 */
export function readStatus(status: unknown, { attributes }: Flat): 'ok' | 'error' {
  const text = textOf(status)
  if (text === '' || text === 'ok' || text === 'unset' || text === 'unknown') return 'ok'
  if (text !== 'error') attributes['sentry.status.message'] ??= text
  return attributes['sentry.status.message'] === 'cancelled' ? 'ok' : 'error'
}

/**
 * Next.js 16 sends `clientComponentLoading` with milliseconds since its process started instead of seconds since 1970. Such spans
 * would be in 1970 and last for minutes.
 */
const ownClockMs = 1e11

/** The start is clamped; the duration stays as the client measured it. */
export function spanTimes(
  start: unknown,
  end: unknown,
  context: RecordContext,
  notes: Notes,
): { startMs: number; endMs: number } {
  const rawStartMs = readTimeMs(start)
  const rawEndMs = readTimeMs(end)
  if (rawStartMs !== undefined && rawEndMs !== undefined && rawStartMs >= 0 && rawEndMs < ownClockMs) {
    notes.add('clamped', 'start_timestamp', `${rawStartMs / 1e3} ms on a clock of its own`)
    const durationMs = Math.max(0, (rawEndMs - rawStartMs) / 1e3)
    return { startMs: context.receivedAt - durationMs, endMs: context.receivedAt }
  }
  const startMs = itemTimeMs(start, 'start_timestamp', context, notes)
  if (rawEndMs === undefined || rawStartMs === undefined) {
    notes.add('invalid', 'end_timestamp')
    return { startMs, endMs: startMs }
  }
  if (rawEndMs < rawStartMs) notes.add('invalid', 'end_timestamp', 'before its start')
  return { startMs, endMs: startMs + Math.max(0, rawEndMs - rawStartMs) }
}
