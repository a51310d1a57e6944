/** What every item of one record shares while it is being understood. */
import { join } from 'node:path'
import type { InboxRecord } from '#inbox/record.ts'
import { type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { OutcomeKind } from '#lib/outcome.ts'
import { itemRule } from '#protocol/item-types.ts'
import { type Envelope, type EnvelopeItem, readEnvelope, readEnvelopeFile } from '#protocol/read-envelope.ts'
import { derivedId, readId } from './normalize/ids.ts'
import { clampTimeMs, clockShiftMs, readTimeMs, sampleRate } from './normalize/times.ts'
import type { Notes } from './notes.ts'
import type { DigestContext, ProcessedRecord } from './processed-record.ts'

export type RecordContext = {
  projectId: number
  receivedAt: number
  clientAddress: string
  userAgent: string
  recordId: string
  retentionDays: DigestContext['retentionDays']
  envelope: Envelope
  /** The envelope's event id as 32 hex digits, '' where there is none. */
  eventId: string
  sdk: JsonObject | undefined
  /** The dynamic sampling context of the trace, all strings. */
  trace: JsonObject | undefined
  /** The share of traces the SDK keeps, as the whole trace was decided. */
  clientSampleRate: number
  /** Added to every timestamp of the client: its clock is wrong by this much. */
  clockShiftMs: number
  out: ProcessedRecord
}

export function openRecord({ head, body }: InboxRecord, context: DigestContext): RecordContext {
  const envelope =
    head.spool === undefined ? readEnvelope(body) : readEnvelopeFile(join(context.spoolFolder, head.spool.name))
  const trace = objectOf(envelope.headers.trace)
  return {
    projectId: head.projectId,
    receivedAt: head.receivedAt,
    clientAddress: head.clientAddress,
    userAgent: head.userAgent,
    recordId: context.recordId,
    retentionDays: context.retentionDays,
    envelope,
    eventId: readId(envelope.headers.event_id),
    sdk: objectOf(envelope.headers.sdk),
    trace,
    clientSampleRate: sampleRate(trace?.sample_rate),
    clockShiftMs: clockShiftMs(textOf(envelope.headers.sent_at), head.receivedAt),
    out: emptyProcessed(head.projectId),
  }
}

export function emptyProcessed(projectId: number): ProcessedRecord {
  return {
    projectId,
    items: new Map(),
    dedupeId: null,
    rows: {},
    groupedEvents: [],
    stacks: [],
    unmapped: [],
    usedBundleIds: [],
    monitors: [],
    blobs: [],
    outcomes: [],
    filtered: [],
    held: [],
    faults: [],
  }
}

/**
 * The id of an event, transaction or feedback, and with it the record's id for finding duplicates. The envelope's own id counts
 * first, because that is what the SDK was answered with; a second event in one envelope cannot have it too.
 */
export function claimEventId(ownId: unknown, itemIndex: number, context: RecordContext): string {
  const isFirst = context.out.dedupeId === null
  const id = (isFirst ? context.eventId : '') || readId(ownId) || derivedId(context.recordId, itemIndex)
  if (isFirst) context.out.dedupeId = id
  return id
}

type BlobKind = 'attachment' | 'replay' | 'profile'

/** `kind/day/project/name`: retention drops a day's folder. The same key on every repeat, so that a second write changes nothing. */
export function blobKey(kind: BlobKind, itemIndex: number, context: RecordContext): string {
  const day = new Date(context.receivedAt).toISOString().slice(0, 10)
  return `${kind}/${day}/${context.projectId}/${derivedId(context.recordId, itemIndex)}`
}

/** Why an item that was accepted at the door is not kept. The words are shown to users. */
type DiscardReason =
  | 'invalid_json'
  | 'invalid_payload'
  | 'empty'
  | 'too_large'
  | 'missing_slug'
  | 'unsupported_item'
  | 'unknown_item'
  | 'internal_error'

/** More than one envelope or report can hold. */
const maxQuantity = 1_000_000

/** Counts the item, or `quantity` entries of it, as not kept. */
export function discard(context: RecordContext, item: EnvelopeItem, reason: DiscardReason, quantity?: number): void {
  count(context, itemRule(item.headers.type).category, 'invalid', reason, quantity ?? item.headers.item_count ?? 1)
}

export function count(
  context: RecordContext,
  category: string,
  kind: OutcomeKind,
  reason: string,
  quantity: number,
  at = context.receivedAt,
): void {
  // Zero would be an outcome that nobody can see, and a header may claim any number.
  const bounded = Math.min(Math.max(1, quantity), maxQuantity)
  context.out.outcomes.push({ projectId: context.projectId, category, kind, reason, quantity: bounded, at })
}

/** When an item happened, by our clock and within bounds: milliseconds with a fraction. Every change is noted. */
export function itemTimeMs(value: unknown, path: string, context: RecordContext, notes: Notes): number {
  const readMs = readTimeMs(value)
  if (readMs === undefined) {
    if (value !== undefined) notes.add('invalid', path)
    return context.receivedAt
  }
  const shiftedMs = readMs + context.clockShiftMs
  const timeMs = clampTimeMs(shiftedMs, context.receivedAt)
  if (timeMs !== shiftedMs) notes.add('clamped', path, String(value).slice(0, 64))
  else if (context.clockShiftMs !== 0)
    notes.add('clamped', path, `the sender's clock is off by ${inHours(context.clockShiftMs)}`)
  return timeMs
}

/** Only clocks that are off by an hour or so are corrected: finer than a tenth says nothing. */
const inHours = (ms: number): string => `${(ms / 3_600_000).toFixed(1)} h`
