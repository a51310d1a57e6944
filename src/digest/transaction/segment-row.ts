/** The row of a transaction itself. */

import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { type Facts, noColumns } from '../attributes/facts.ts'
import { emptyFlat, flattenInto } from '../attributes/flatten.ts'
import { headerOf } from '../event/header-of.ts'
import { readId, readSpanId } from '../normalise/ids.ts'
import type { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'
import { putMeasurements } from '../span/put-measurements.ts'
import { readStatus } from '../span/read-status.ts'
import { spanRow } from '../span/span-row.ts'
import { spanTimes } from '../span/span-times.ts'

/** Null when its trace context names no trace or span. */
export function segmentRow(
  event: StoredEvent,
  times: { start: unknown; end: unknown },
  mayHaveShapes: boolean,
  notes: Notes,
  context: RecordContext,
): SpanRow | null {
  const trace = event.contexts.trace
  const traceId = readId(trace?.trace_id)
  const spanId = readSpanId(trace?.span_id)
  if (trace === undefined || traceId === '' || spanId === '0') return null
  const flat = emptyFlat()
  flattenInto(flat, trace.data, { isTyped: false, mayHaveShapes, columns: noColumns }, notes)
  fillFacts(flat.facts, event, trace, context)
  putMeasurements(flat, event.measurements)
  const { startMs, endMs } = spanTimes(times.start, times.end, context, notes)
  const status = readStatus(trace.status, flat)
  if (!notes.isEmpty) event._hydrant = notes.toJson()
  return spanRow(
    {
      startMs,
      endMs,
      traceId,
      spanId,
      parentSpanId: readSpanId(trace.parent_span_id),
      isSegment: true,
      name: event.transaction ?? '',
      status,
      platform: event.platform,
      links: Array.isArray(trace.links) ? JSON.stringify(trace.links) : '',
      data: JSON.stringify(event),
    },
    flat,
    context,
  )
}

/** Fields of the event that streamed spans carry as attributes. The event's own fields win where both are given. */
function fillFacts(facts: Facts, event: StoredEvent, trace: StoredEvent['contexts'][string], context: RecordContext) {
  const info = event.transaction_info as { source?: unknown } | undefined
  facts.op = trace.op ?? facts.op
  facts.origin = trace.origin ?? facts.origin
  facts.segmentName = event.transaction
  facts.segmentId = trace.span_id
  facts.source = info?.source ?? facts.source
  facts.sdkName = event.sdk?.name
  facts.sdkVersion = event.sdk?.version
  facts.release = event.release
  facts.environment = event.environment
  facts.dist = event.dist
  facts.serverName = event.server_name
  facts.userId = event.user?.id
  facts.userEmail = event.user?.email
  facts.userName = event.user?.username
  facts.userIp = event.user?.ip_address ?? facts.userIp
  facts.replayId ??= event.contexts.replay?.replay_id ?? event.tags.replayId ?? context.trace?.replay_id
  facts.method ??= event.request?.method
  facts.urlFull ??= event.request?.url
  facts.statusCode ??= event.contexts.response?.status_code
  facts.browserName ??= event.contexts.browser?.name
  facts.osName ??= event.contexts.client_os?.name ?? event.contexts.os?.name
  facts.deviceModel ??= event.contexts.device?.model ?? event.contexts.device?.family
  fillHeaders(facts, event)
}

function fillHeaders(facts: Facts, event: StoredEvent): void {
  const headers = event.request?.headers
  if (headers === undefined) return
  facts.headerUserAgent ??= textOf(headerOf(headers, 'user-agent'))
  facts.nextPrefetch ??= headerOf(headers, 'next-router-prefetch')
  facts.nextSegmentPrefetch ??= headerOf(headers, 'next-router-segment-prefetch')
  facts.middlewarePrefetch ??= headerOf(headers, 'x-middleware-prefetch')
  facts.purpose ??= headerOf(headers, 'purpose')
  facts.secPurpose ??= headerOf(headers, 'sec-purpose')
}
