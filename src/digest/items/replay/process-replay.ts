/** A replay segment is sent as two items, an event and a recording. They become one row and one blob. */
import { countOf, isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { Envelope, EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrubbing/scrub-text.ts'
import { noId, type ReplayMomentRow, type ReplayRow } from '#store/telemetry/rows.ts'
import { readId } from '../../normalize/ids.ts'
import { clampTimeMs, readTimeMs } from '../../normalize/times.ts'
import { userHash } from '../../normalize/user-hash.ts'
import { Notes } from '../../notes.ts'
import { scrubOwnEvent } from '../../own-rules/scrub-item.ts'
import { addRow, type BlobSource } from '../../processed-record.ts'
import { loadBytes, parseJson, readJsonItem, sizeOf } from '../../read/read-json.ts'
import { blobKey, discard, type RecordContext } from '../../record-context.ts'
import { normalizeEvent } from '../event/normalize-event.ts'
import { cleanEvent } from '../event/process-event.ts'
import { type Moment, readMoments, type SegmentMoments } from './read-moments.ts'
import { scrubRecording } from './scrub-recording.ts'

export function processReplayEvent(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  const raw = payload !== null && isObject(payload.value) ? payload.value : null
  const recording = takeRecording(partnerOf(item, context.envelope), context, raw ?? {})
  if (payload !== null && raw === null) discard(context, item, 'invalid_payload')
  // The recording is stored even when its event cannot be read.
  if (raw === null && recording === null) return
  addSegment(raw ?? {}, payload !== null && hasShapes(payload.text), recording, context)
}

/** Only for a recording without an event; the others are processed with their event. */
export function processReplayRecording(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  if (partnerOf(item, context.envelope) !== null) return
  addSegment({}, false, takeRecording(itemIndex, context, {}), context)
}

function addSegment(
  raw: Record<string, unknown>,
  mayHaveShapes: boolean,
  recording: Recording | null,
  context: RecordContext,
): void {
  const notes = new Notes()
  const replayId = readId(raw.replay_id) || readId(raw.event_id) || context.eventId
  const event = normalizeEvent(raw, replayId, context, notes)
  cleanEvent(event, mayHaveShapes, notes)
  scrubOwnEvent(event, context, notes)
  if (!notes.isEmpty) event._hydrant = notes.toJson()
  const row = replayRow(event, recording, context)
  addRow(context.out, 'replays', row)
  for (const moment of recording?.did.moments ?? [])
    addRow(context.out, 'replay_moments', momentRow(moment, row, context))
}

/** The SDK kept the last minute in memory and sent it because of an error: the replay is kept as long as the error. */
const isOfError = ({ replay_type }: JsonObject): boolean => replay_type === 'buffer'

function takeRecording(index: number | null, context: RecordContext, raw: JsonObject): Recording | null {
  const item = index === null ? undefined : context.envelope.items[index]
  if (item === undefined || index === null) return null
  const recording = readRecording(item, index, context, isOfError(raw) ? 'error-replay' : 'replay')
  const scrubbed = scrubRecording(loadBytes(recording.source), context.own)
  if (scrubbed.kind === 'unreadable' || scrubbed.kind === 'too_large') {
    // What cannot be read cannot be scrubbed, and no player could show it.
    discard(context, item, scrubbed.kind === 'too_large' ? 'too_large' : 'invalid_payload')
    return { ...recording, key: '', sizeBytes: 0, did: readMoments([]) }
  }
  const source = scrubbed.kind === 'same' ? recording.source : { kind: 'bytes' as const, bytes: scrubbed.bytes }
  context.out.blobs.push({ key: recording.key, source })
  return { ...recording, source, sizeBytes: sizeOf(source), did: readMoments(scrubbed.events) }
}

/** Cached per envelope: searching thousands of items for each item would be quadratic. */
const known = new WeakMap<Envelope, Map<EnvelopeItem, number>>()

/** The index of the other half of a replay segment: the first event belongs to the first recording, and so on. */
function partnerOf(item: EnvelopeItem, envelope: Envelope): number | null {
  let partners = known.get(envelope)
  if (partners === undefined) {
    partners = pair(envelope)
    known.set(envelope, partners)
  }
  return partners.get(item) ?? null
}

function pair({ items }: Envelope): Map<EnvelopeItem, number> {
  const events = indexesOf(items, 'replay_event')
  const recordings = indexesOf(items, 'replay_recording')
  const partners = new Map<EnvelopeItem, number>()
  for (let rank = 0; rank < Math.min(events.length, recordings.length); rank++) {
    const [event, recording] = [events[rank] ?? 0, recordings[rank] ?? 0]
    const [eventItem, recordingItem] = [items[event], items[recording]]
    if (eventItem === undefined || recordingItem === undefined) continue
    partners.set(eventItem, recording)
    partners.set(recordingItem, event)
  }
  return partners
}

const indexesOf = (items: EnvelopeItem[], type: string): number[] =>
  items.flatMap((item, index) => (item.headers.type === type ? [index] : []))

/** A segment covers some seconds; more URLs or errors than this are noise. */
const maxListed = 200

function replayRow(event: StoredEvent, recording: Recording | null, context: RecordContext): ReplayRow {
  const { contexts, user } = event
  const os = contexts.client_os ?? contexts.os
  const timestamp = Math.round(event.timestamp * 1e3)
  const started = readTimeMs(event.replay_start_timestamp)
  return {
    project_id: context.projectId,
    replay_id: event.event_id || noId,
    segment_id: event.segment_id === undefined ? (recording?.segmentId ?? 0) : countOf(event.segment_id, 4_294_967_295),
    timestamp,
    started:
      started === undefined ? timestamp : Math.round(clampTimeMs(started + context.clockShiftMs, context.receivedAt)),
    received_at: context.receivedAt,
    retention_days: isOfError(event)
      ? Math.max(context.retentionDays.errors, context.retentionDays.rest)
      : context.retentionDays.rest,
    weight: 1,
    replay_type: textOf(event.replay_type) || 'session',
    environment: event.environment ?? '',
    release: event.release ?? '',
    user_hash: userHash(context.projectId, user?.id ?? '', user?.email, user?.username, user?.ip_address),
    urls: texts(event.urls),
    error_ids: ids(event.error_ids),
    trace_ids: ids(event.trace_ids),
    recording_bytes: recording?.sizeBytes ?? 0,
    recording_blob: recording?.key ?? '',
    data: JSON.stringify(event),
    user_id: user?.id ?? '',
    user_email: user?.email ?? '',
    user_name: user?.username ?? textOf(user?.name),
    user_ip: user?.ip_address ?? '',
    browser_name: textOf(contexts.browser?.name),
    browser_version: textOf(contexts.browser?.version),
    os_name: textOf(os?.name),
    os_version: textOf(os?.version).trim(),
    device: textOf(contexts.device?.model ?? contexts.device?.family),
    click_count: recording?.did.clicks ?? 0,
    dead_click_count: recording?.did.deadClicks ?? 0,
    rage_click_count: recording?.did.rageClicks ?? 0,
    tags: event.tags,
  }
}

const momentRow = ({ at, ...moment }: Moment, replay: ReplayRow, context: RecordContext): ReplayMomentRow => ({
  project_id: replay.project_id,
  replay_id: replay.replay_id,
  segment_id: replay.segment_id,
  timestamp: Math.round(clampTimeMs(at + context.clockShiftMs, context.receivedAt)),
  received_at: replay.received_at,
  retention_days: replay.retention_days,
  weight: 1,
  ...moment,
})

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string').slice(0, maxListed) : []

const ids = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(readId).filter(Boolean).slice(0, maxListed) : []

type SentRecording = { key: string; source: BlobSource; sizeBytes: number; segmentId: number | null }
type Recording = SentRecording & { did: SegmentMoments }

/** The first line of a recording is `{"segment_id":0}`. */
const maxHeaderBytes = 1_024

/** A recording is a line of JSON followed by rrweb events, deflated or plain. The blob only holds the events, scrubbed. */
function readRecording(
  item: EnvelopeItem,
  itemIndex: number,
  context: RecordContext,
  kind: 'replay' | 'error-replay',
): SentRecording {
  const { payload } = item
  const head = loadBytes(payload, maxHeaderBytes)
  const lineEnd = head[0] === 0x7b ? head.indexOf(0x0a) : -1
  const header = lineEnd === -1 ? undefined : objectOf(parseJson(head.subarray(0, lineEnd))?.value)
  const skip = lineEnd + 1
  const source: BlobSource =
    payload.kind === 'bytes'
      ? { kind: 'bytes', bytes: payload.bytes.subarray(skip) }
      : { ...payload, start: payload.start + skip }
  return {
    key: blobKey(kind, itemIndex, context),
    source,
    sizeBytes: sizeOf(source),
    segmentId: header?.segment_id === undefined ? null : countOf(header.segment_id, 4_294_967_295),
  }
}
