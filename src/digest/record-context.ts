/** What the items of one record share while they are processed. */

import { join } from 'node:path'
import type { InboxRecord } from '#inbox/record.ts'
import { type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { OutcomeKind } from '#lib/outcome.ts'
import { clipText } from '#lib/text.ts'
import { itemRule } from '#protocol/item-types.ts'
import { type Envelope, type EnvelopeItem, readEnvelope, readEnvelopeFile } from '#protocol/read-envelope.ts'
import { limits } from './limits.ts'
import { derivedId, readId } from './normalize/ids.ts'
import { clampTimeMs, clockShiftMs, readTimeMs, sampleRate } from './normalize/times.ts'
import type { Notes } from './notes.ts'
import { type OwnScrubbing, openOwnScrubbing } from './own-rules/scrub-item.ts'
import { type DigestContext, emptyProcessed, type ProcessedRecord } from './processed-record.ts'

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
  /** The share of traces that the SDK keeps. */
  clientSampleRate: number
  /** Added to every timestamp of the client, because its clock is off by this much. */
  clockShiftMs: number
  /** Own scrubbing rules of the project, when the record was received. */
  own: OwnScrubbing | null
  out: ProcessedRecord
}

export function openRecord({ head, body }: InboxRecord, context: DigestContext): RecordContext {
  const envelope =
    head.spool === undefined ? readEnvelope(body) : readEnvelopeFile(join(context.spoolFolder, head.spool.name))
  const trace = objectOf(envelope.headers.trace)
  const own = openOwnScrubbing(context.ownRules?.find(head.projectId, head.receivedAt) ?? null)
  return {
    projectId: head.projectId,
    receivedAt: head.receivedAt,
    clientAddress: own?.rules.dropsAddresses ? '' : head.clientAddress,
    userAgent: head.userAgent,
    recordId: context.recordId,
    retentionDays: context.retentionDays,
    envelope,
    eventId: readId(envelope.headers.event_id),
    sdk: objectOf(envelope.headers.sdk),
    trace,
    clientSampleRate: sampleRate(trace?.sample_rate),
    clockShiftMs: clockShiftMs(textOf(envelope.headers.sent_at), head.receivedAt),
    own,
    out: emptyProcessed(head.projectId),
  }
}

/**
 * The id of an event, transaction or feedback; the first one also becomes the record's dedupe id. The envelope's id has
 * precedence, because the SDK got it in the response; a second event in the same envelope cannot have it too.
 */
export function claimEventId(ownId: unknown, itemIndex: number, context: RecordContext): string {
  const isFirst = context.out.dedupeId === null
  const id = (isFirst ? context.eventId : '') || readId(ownId) || derivedId(context.recordId, itemIndex)
  if (isFirst) context.out.dedupeId = id
  return id
}

type BlobKind = 'attachment' | 'replay' | 'error-replay' | 'profile'

/** `kind/day/project/name`: retention deletes whole days. A repeat gives the same key, so a second write changes nothing. */
export function blobKey(kind: BlobKind, itemIndex: number, context: RecordContext): string {
  const day = new Date(context.receivedAt).toISOString().slice(0, 10)
  return `${kind}/${day}/${context.projectId}/${derivedId(context.recordId, itemIndex)}`
}

/** Why an accepted item is not stored. Stored in outcomes and shown in the UI. */
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

/** Counts the item, or `quantity` entries of it, as invalid. */
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
  // At least one, or the outcome would be invisible; and a header may claim any number.
  const bounded = Math.min(Math.max(1, quantity), maxQuantity)
  context.out.outcomes.push({ projectId: context.projectId, category, kind, reason, quantity: bounded, at })
}

/**
 * The time of an event. One older than all partitions, from a client that sends no clock to compare with, has a wrong clock or was
 * kept for a long time: it counts as of now, where members look, instead of as of a month ago.
 */
export function eventTimeMs(value: unknown, path: string, context: RecordContext, notes: Notes): number {
  const readMs = readTimeMs(value)
  const isTooOld = readMs !== undefined && readMs < context.receivedAt - limits.oldestMs
  if (!isTooOld || textOf(context.envelope.headers.sent_at) !== '') return itemTimeMs(value, path, context, notes)
  notes.add('clamped', path, `${clipText(String(value), 64)}, so the time of receipt is used`)
  return context.receivedAt
}

/** The time of an item by the server's clock and within bounds, in milliseconds with a fraction. Every change is noted. */
export function itemTimeMs(value: unknown, path: string, context: RecordContext, notes: Notes): number {
  const readMs = readTimeMs(value)
  if (readMs === undefined) {
    if (value !== undefined) notes.add('invalid', path)
    return context.receivedAt
  }
  const shiftedMs = readMs + context.clockShiftMs
  const timeMs = clampTimeMs(shiftedMs, context.receivedAt)
  if (timeMs !== shiftedMs) notes.add('clamped', path, clipText(String(value), 64))
  else if (context.clockShiftMs !== 0)
    notes.add('clamped', path, `the sender's clock is off by ${inHours(context.clockShiftMs)}`)
  return timeMs
}

/** Only clocks that are off by about an hour or more are corrected, so a tenth is precise enough. */
const inHours = (ms: number): string => `${(ms / 3_600_000).toFixed(1)} h`
