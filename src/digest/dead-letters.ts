/** What we could not understand through a fault of our own is kept as bytes: a later version may do better, and a developer can look. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { InboxRecord } from '#inbox/record.ts'
import type { SetAside } from '#inbox/seals.ts'
import type { DamagedRange } from '#inbox/segments.ts'
import { segmentPath } from '#inbox/segments.ts'
import { findBodyDamage } from '#inbox/spool.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import type { BlobSource, DigestContext, ProcessedRecord } from './processed-record.ts'
import { emptyProcessed } from './record-context.ts'

const deadLetterKey = (at: number, projectId: number, name: string): string =>
  `dead-letters/${new Date(at).toISOString().slice(0, 10)}/${projectId}/${name.replace(/[^\w.-]/g, '-').slice(0, 180)}`

export function keepFaults(batch: PreparedBatch, { projectId, faults }: ProcessedRecord): void {
  for (const [index, fault] of faults.entries()) {
    const name = `${batch.batchId}-${batch.blobs.length}-${index}-${fault.itemType}`
    batch.blobs.push({ key: deadLetterKey(batch.receivedAt || Date.now(), projectId, name), source: fault.payload })
  }
}

/** Null while the body is what was acknowledged. */
export const bodyDamageOf = ({ head }: InboxRecord, { spoolFolder }: DigestContext): string | null =>
  head.spool === undefined ? null : findBodyDamage(spoolFolder, head.spool)

const whyAside: Record<SetAside['why'], { reason: string; message: string }> = {
  ended_thread: { reason: 'unreadable', message: 'This record stopped the digest thread each time it was read.' },
  too_expensive: { reason: 'processing_timeout', message: 'This record took too much CPU time.' },
}

export function recordAside(record: InboxRecord, context: DigestContext, why: SetAside['why']): ProcessedRecord {
  const { reason, message } = whyAside[why]
  return setAside(record, context, reason, message)
}

export const damagedBody = (record: InboxRecord, context: DigestContext, message: string): ProcessedRecord =>
  setAside(record, context, 'inbox_damaged', message)

/** A record that is not looked into. What is left of it is kept, its outcome says what happened. */
function setAside(
  { head, body }: InboxRecord,
  context: DigestContext,
  reason: string,
  message: string,
): ProcessedRecord {
  const { projectId, spool, receivedAt: at } = head
  const path = spool && join(context.spoolFolder, spool.name)
  const sizeBytes = path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  const payload: BlobSource =
    path !== undefined && sizeBytes > 0
      ? { kind: 'file', path, start: 0, end: sizeBytes }
      : { kind: 'bytes', bytes: body }
  return {
    ...emptyProcessed(projectId),
    outcomes: [{ projectId, category: 'default', kind: 'invalid', reason, quantity: 1, at }],
    faults: [{ itemType: 'envelope', message, payload }],
  }
}

/** Bytes of the inbox that no longer are what was acknowledged. How many records they were is unknown: at least one. */
export function damagedRange(range: DamagedRange, folder: string, at: number): ProcessedRecord {
  const { projectId, segment, from, to } = range
  const path = segmentPath(folder, segment)
  const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const payload: BlobSource =
    sizeBytes > from
      ? { kind: 'file', path, start: from, end: Math.min(to, sizeBytes) }
      : { kind: 'bytes', bytes: Buffer.alloc(0) }
  return {
    ...emptyProcessed(projectId),
    outcomes: [{ projectId, category: 'default', kind: 'invalid', reason: 'inbox_damaged', quantity: 1, at }],
    faults: [{ itemType: 'damaged', message: `${to - from} bytes of ${path} from ${from} on are damaged.`, payload }],
  }
}

/** The time of damaged bytes that have no readable neighbor: the same on every repeat, as long as the file is there. */
export const writtenAt = (folder: string, { segment }: DamagedRange): number =>
  Math.floor(statSync(segmentPath(folder, segment), { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
