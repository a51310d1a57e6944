/** Reads the records of a seal and understands them. The same seal gives the same batch, on every repeat. */
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { type LogPosition, type LogSlice, readSlice } from '#inbox/read-log.ts'
import type { InboxRecord } from '#inbox/record.ts'
import { batchIdOf, endOfSeal, type Seal } from '#inbox/seals.ts'
import { spoolFolder } from '#inbox/segments.ts'
import { bodyDamageOf, damagedBody, damagedRange, keepFaults, recordAside, writtenAt } from './dead-letters.ts'
import { type BatchPlan, emptyPlan } from './link/batch-plan.ts'
import { countItems, emptyRows, mergeProcessed, type PreparedBatch } from './prepared-batch.ts'
import type { DigestContext, ProcessedRecord } from './processed-record.ts'
import { beginRecord, endRecord, type RecordInProgress } from './record-in-progress.ts'

export type Source = { folder: string; inboxId: string; retentionDays: { errors: number; rest: number } }
export type ProcessRecord = (record: InboxRecord, context: DigestContext) => ProcessedRecord
export type IsRepeated = (projectId: number, eventId: string) => boolean

const unbounded = {
  maxRecords: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  maxFiles: Number.POSITIVE_INFINITY,
}

export const readSealed = (source: Source, seal: Seal): Promise<LogSlice> =>
  readUpTo(source, { segment: seal.segment, position: seal.start }, endOfSeal(seal))

export const readUpTo = ({ folder }: Source, from: LogPosition, end: LogPosition): Promise<LogSlice> =>
  readSlice(folder, from, end, unbounded)

export type BatchRecord = { processed: ProcessedRecord; spool: string | null; receivedAt: number }

/** Milliseconds in one go. The batch before is being written meanwhile, and the engine would wait for its next table. */
const turnMs = 4

type How = {
  seal: Seal
  processRecord: ProcessRecord
  inProgress: RecordInProgress
  /** Nobody is at the door: while requests come, what the engine would take is taken from them. */
  isQuiet: () => boolean
}

export async function processAll(
  source: Source,
  slice: LogSlice,
  { seal, processRecord, inProgress, isQuiet }: How,
): Promise<BatchRecord[]> {
  const first = slice.records[0]?.record.head.receivedAt
  const all: BatchRecord[] = slice.damaged.map(range => {
    const receivedAt = first ?? writtenAt(source.folder, range)
    return { processed: damagedRange(range, source.folder, receivedAt), spool: null, receivedAt }
  })
  const { inboxId } = source
  // The settings that are in force when it is repeated may differ from those that its first rows were written with.
  const retentionDays = seal.retentionDays ?? source.retentionDays
  const spools = spoolFolder(source.folder)
  let since = performance.now()
  for (const { record, at } of slice.records) {
    const context = { recordId: `${inboxId}:${at.segment}:${at.position}`, retentionDays, spoolFolder: spools }
    const aside = seal.setAside?.find(one => one.segment === at.segment && one.position === at.position)
    beginRecord(inProgress, at)
    const processed = aside ? recordAside(record, context, aside.why) : processWhole(record, context, processRecord)
    endRecord(inProgress)
    all.push({ processed, spool: record.head.spool?.name ?? null, receivedAt: record.head.receivedAt })
    if (performance.now() - since < turnMs) continue
    if (isQuiet()) await letOthersRun()
    since = performance.now()
  }
  return all
}

function processWhole(record: InboxRecord, context: DigestContext, processRecord: ProcessRecord): ProcessedRecord {
  const damage = bodyDamageOf(record, context)
  return damage === null ? processRecord(record, context) : damagedBody(record, context, damage)
}

type Assembly = {
  seal: Seal
  inboxId: string
  mayHaveArrived: boolean
  records: BatchRecord[]
  isRepeated: IsRepeated
  plan?: BatchPlan
}

/** Joins the yields of a batch; a second delivery of an event, in this batch or an earlier one, is counted as what it is. */
export function assembleBatch(assembly: Assembly): PreparedBatch {
  const { seal, inboxId, mayHaveArrived, records, isRepeated, plan = emptyPlan } = assembly
  const batch: PreparedBatch = {
    seal,
    batchId: batchIdOf(inboxId, seal),
    mayHaveArrived,
    failures: 0,
    cuts: 0,
    spools: [],
    items: new Map(),
    itemsByProject: new Map(),
    dedupeIds: [],
    rows: emptyRows(),
    groupedEvents: [],
    unmapped: [],
    usedBundleIds: new Set(),
    monitors: [],
    blobs: [],
    outcomes: [],
    filtered: [],
    held: [],
    plan,
    fetches: [],
    traces: new Map(),
    receivedAt: records.at(-1)?.receivedAt ?? plan.at,
  }
  const inThisBatch = new Set<string>()
  for (const { processed, spool, receivedAt } of records) {
    countItems(batch, processed)
    if (spool !== null) batch.spools.push(spool)
    const { projectId, dedupeId } = processed
    if (dedupeId !== null) {
      const key = `${projectId}:${dedupeId}`
      if (inThisBatch.has(key) || isRepeated(projectId, dedupeId)) {
        batch.outcomes.push({
          projectId,
          category: repeatedCategory(processed),
          kind: 'invalid',
          reason: 'duplicate',
          quantity: 1,
          at: receivedAt,
        })
        continue
      }
      inThisBatch.add(key)
      batch.dedupeIds.push({ projectId, eventId: dedupeId })
    }
    keepFaults(batch, processed)
    mergeProcessed(batch, processed)
  }
  return batch
}

const repeatedCategory = ({ items }: ProcessedRecord): string =>
  items.has('transaction') ? 'transaction' : items.has('feedback') ? 'feedback' : 'error'
