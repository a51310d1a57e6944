/** What every item of one record shares while it is being understood. */

import { join } from 'node:path'
import type { InboxRecord } from '#inbox/record.ts'
import { type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { Envelope } from '#protocol/read-envelope.ts'
import { readEnvelope, readEnvelopeFile } from '#protocol/read-envelope.ts'
import { clockShiftMs } from './normalise/clock-shift.ts'
import { readId } from './normalise/ids.ts'
import { sampleRate } from './normalise/sample-rate.ts'
import type { DigestContext, RecordYield } from './yield.ts'

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
  out: RecordYield
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
    out: emptyYield(head.projectId),
  }
}

export function emptyYield(projectId: number): RecordYield {
  return {
    projectId,
    items: new Map(),
    dedupeId: null,
    rows: {},
    sightings: [],
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
