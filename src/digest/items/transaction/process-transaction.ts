import { isObject, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrubbing/scrub-text.ts'
import type { SpanRow } from '#store/telemetry/rows.ts'
import { type Facts, noColumns } from '../../attributes/facts.ts'
import { emptyFlat, flattenInto } from '../../attributes/flatten.ts'
import { readId, readSpanId } from '../../normalize/ids.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnEvent } from '../../own-rules/scrub-item.ts'
import { addRow } from '../../processed-record.ts'
import { readJsonItem } from '../../read/read-json.ts'
import { claimEventId, discard, type RecordContext } from '../../record-context.ts'
import { headerOf } from '../event/event-client.ts'
import { normalizeEvent } from '../event/normalize-event.ts'
import { cleanEvent } from '../event/process-event.ts'
import { putMeasurements } from '../span/build-span.ts'
import { legacySpanRow, type Parent } from '../span/legacy-span-row.ts'
import { readStatus, spanRow, spanTimes } from '../span/span-row.ts'

/** A transaction becomes a segment span and its child spans: the same rows as from an SDK that streams spans. */
export function processTransaction(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  if (!isObject(payload.value)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const mayHaveShapes = hasShapes(payload.text)
  const notes = new Notes()
  const children = Array.isArray(payload.value.spans) ? payload.value.spans : []
  payload.value.spans = undefined
  const { start_timestamp: start, timestamp: end } = payload.value
  const event = normalizeEvent(payload.value, claimEventId(payload.value.event_id, itemIndex, context), context, notes)
  cleanEvent(event, mayHaveShapes, notes)
  scrubOwnEvent(event, context, notes)
  const segment = segmentRow(event, { start, end }, mayHaveShapes, notes, context)
  if (segment === null) {
    discard(context, item, 'invalid_payload')
    return
  }
  addRow(context.out, 'spans', segment)
  const parent: Parent = { platform: event.platform, inherited: inheritedFacts(event, segment) }
  let unusable = 0
  for (const child of children) {
    const row = legacySpanRow(child, parent, mayHaveShapes, context)
    if (row === null) unusable++
    else addRow(context.out, 'spans', row)
  }
  if (unusable > 0) discard(context, item, 'invalid_payload', unusable)
}

/** Streamed spans have these themselves; the children of a transaction inherit them. */
function inheritedFacts(event: StoredEvent, segment: SpanRow): Parent['inherited'] {
  return {
    segmentName: segment.segment_name,
    source: segment.segment_source,
    segmentId: event.contexts.trace?.span_id,
    sdkName: segment.sdk_name,
    sdkVersion: segment.sdk_version,
    release: segment.release,
    environment: segment.environment,
    dist: segment.dist,
    serverName: segment.server_name,
    replayId: segment.replay_id,
    userId: event.user?.id,
    userEmail: event.user?.email,
    userName: event.user?.username,
    userIp: event.user?.ip_address,
    sampleRate: segment.client_sample_rate,
  }
}

/** The row of the transaction itself; null without a trace id and a span id. */
function segmentRow(
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

/** Event fields that streamed spans have as attributes. The event's own fields win when both are set. */
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
