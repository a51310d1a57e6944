/** Reads the records of a sealed batch and processes each of them. The same seal gives the same result on every repeat. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type LogPosition, type LogSlice, readSlice } from '#inbox/read-log.ts'
import type { InboxRecord } from '#inbox/record.ts'
import { endOfSeal, type Seal } from '#inbox/seals.ts'
import { spoolFolder } from '#inbox/segments.ts'
import { damagedBody, damagedRange, findBodyDamage, skippedRecord, writtenAt } from './dead-letters.ts'
import type { OwnRules } from './own-rules/find-own-rules.ts'
import type { DigestContext, ProcessedRecord } from './processed-record.ts'
import { beginRecord, endRecord, type RecordInProgress } from './record-in-progress.ts'

export type Source = { folder: string; inboxId: string; retentionDays: { errors: number; rest: number } }
export type ProcessRecord = (record: InboxRecord, context: DigestContext) => ProcessedRecord
export type IsRepeated = (projectId: number, eventId: string) => boolean
export type BatchRecord = { processed: ProcessedRecord; spool: string | null; receivedAt: number }

/** The previous batch is being written meanwhile: without a break, the engine would wait for its next table. */
const maxTurnMs = 4

type ProcessOptions = {
  seal: Seal
  ownRules: OwnRules | null
  processRecord: ProcessRecord
  inProgress: RecordInProgress
  /** True while no requests arrive. Otherwise there are no breaks: CPU time for the engine would be taken from ingest. */
  isIdle: () => boolean
}

export async function processRecords(
  source: Source,
  slice: LogSlice,
  { seal, ownRules, processRecord, inProgress, isIdle }: ProcessOptions,
): Promise<BatchRecord[]> {
  const all = damagedRecords(source, slice)
  const { inboxId } = source
  // A repeat must write the same rows, even when the retention settings have changed since.
  const retentionDays = seal.retentionDays ?? source.retentionDays
  const spools = spoolFolder(source.folder)
  let turnStart = performance.now()
  for (const { record, at } of slice.records) {
    const recordId = `${inboxId}:${at.segment}:${at.position}`
    const context = { recordId, retentionDays, spoolFolder: spools, ownRules }
    const skipped = seal.setAside?.find(one => one.segment === at.segment && one.position === at.position)
    beginRecord(inProgress, at)
    const processed = skipped
      ? skippedRecord(record, context, skipped.why)
      : processUndamaged(record, context, processRecord)
    endRecord(inProgress)
    all.push({ processed, spool: record.head.spool?.name ?? null, receivedAt: record.head.receivedAt })
    if (performance.now() - turnStart < maxTurnMs) continue
    if (isIdle()) await yieldToEventLoop()
    turnStart = performance.now()
  }
  return all
}

function damagedRecords({ folder }: Source, { records, damaged }: LogSlice): BatchRecord[] {
  const firstReceivedAt = records[0]?.record.head.receivedAt
  return damaged.map(range => {
    const receivedAt = firstReceivedAt ?? writtenAt(folder, range)
    return { processed: damagedRange(range, folder, receivedAt), spool: null, receivedAt }
  })
}

function processUndamaged(record: InboxRecord, context: DigestContext, processRecord: ProcessRecord): ProcessedRecord {
  const damage = findBodyDamage(record, context)
  return damage === null ? processRecord(record, context) : damagedBody(record, context, damage)
}

const unbounded = {
  maxRecords: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  maxFiles: Number.POSITIVE_INFINITY,
}

export const readBatch = (source: Source, seal: Seal): Promise<LogSlice> =>
  readRange(source, { segment: seal.segment, position: seal.start }, endOfSeal(seal))

export const readRange = ({ folder }: Source, from: LogPosition, end: LogPosition): Promise<LogSlice> =>
  readSlice(folder, from, end, unbounded)
