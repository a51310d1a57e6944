/** Records and items that could not be processed. Their bytes are kept as blobs, for a later version or a developer to read. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { InboxRecord } from '#inbox/record.ts'
import type { SetAside } from '#inbox/seals.ts'
import type { DamagedRange } from '#inbox/segments.ts'
import { segmentPath } from '#inbox/segments.ts'
import { findSpoolDamage } from '#inbox/spool.ts'
import {
  type BlobSource,
  type BlobWrite,
  type DigestContext,
  emptyProcessed,
  type ProcessedRecord,
} from './processed-record.ts'

export const deadLetterKey = (at: number, projectId: number, name: string): string =>
  `dead-letters/${new Date(at).toISOString().slice(0, 10)}/${projectId}/${name.replace(/[^\w.-]/g, '-').slice(0, 180)}`

type DeadLetterBatch = { batchId: string; receivedAt: number; blobs: BlobWrite[] }

export function addDeadLetters(batch: DeadLetterBatch, { projectId, faults }: ProcessedRecord): void {
  for (const [index, fault] of faults.entries()) {
    const name = `${batch.batchId}-${batch.blobs.length}-${index}-${fault.itemType}`
    batch.blobs.push({ key: deadLetterKey(batch.receivedAt || Date.now(), projectId, name), source: fault.payload })
  }
}

/** Null when the body is intact. */
export const findBodyDamage = ({ head }: InboxRecord, { spoolFolder }: DigestContext): string | null =>
  head.spool === undefined ? null : findSpoolDamage(spoolFolder, head.spool)

const skipReasons: Record<SetAside['why'], { reason: string; message: string }> = {
  ended_thread: { reason: 'unreadable', message: 'This record stopped the digest thread each time it was read.' },
  too_expensive: { reason: 'processing_timeout', message: 'This record took too much CPU time.' },
}

/** For a record that the seal sets aside. */
export function skippedRecord(record: InboxRecord, context: DigestContext, why: SetAside['why']): ProcessedRecord {
  const { reason, message } = skipReasons[why]
  return unreadRecord(record, context, reason, message)
}

export const damagedBody = (record: InboxRecord, context: DigestContext, message: string): ProcessedRecord =>
  unreadRecord(record, context, 'inbox_damaged', message)

/** A record that is not processed: its bytes become a dead letter, its outcome says why. */
function unreadRecord(
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

/** Damaged bytes of the inbox. How many records they held is unknown, so one is counted. */
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

/** The time of damaged bytes without a readable record beside them: the same on every repeat while the file exists. */
export const writtenAt = (folder: string, { segment }: DamagedRange): number =>
  Math.floor(statSync(segmentPath(folder, segment), { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
