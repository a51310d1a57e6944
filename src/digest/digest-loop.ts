/**
 * The main loop of digest: seal, process, prepare, write and commit one batch after the other. While a batch is being written,
 * the next one is already processed, so neither the engine nor this thread waits for the other.
 */
import type { LogSlice } from '#inbox/read-log.ts'
import { endOfSeal, isPlanned, openSeals, type PlannedEnd, type Seal, type Seals } from '#inbox/seals.ts'
import { readEnd, type SharedEnd } from '#inbox/segment-ends.ts'
import { keepDamaged, segmentName } from '#inbox/segments.ts'
import { createIdleCollector } from '#lib/idle-collector.ts'
import { commitBatch } from './commit-batch.ts'
import { type Cursor, readCursor } from './cursor.ts'
import { createDigestedFiles, type DigestedFiles, removeLeftBodies } from './digested-files.ts'
import { filterBatch } from './filter-batch.ts'
import { findRepeatedEvents } from './find-repeated-events.ts'
import { listPlannedEnds } from './link/plan-batch.ts'
import { type LoopOptions, planContext } from './loop-options.ts'
import { nextSeal } from './next-seal.ts'
import { findOwnRules } from './own-rules/find-own-rules.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import { type BatchRecord, type IsRepeated, processRecords, readBatch } from './process-records.ts'
import { createProfileRollup, type ProfileRollup } from './profiles/roll-up-profiles.ts'
import { recoverCursor } from './recover-cursor.ts'
import { restoreSeals } from './restore-seals.ts'
import { retryUntilStopped } from './retry.ts'
import { openLookupLog } from './symbolicate/lookup-log.ts'
import { type BatchSymbolicator, createBatchSymbolicator } from './symbolicate/symbolicate-batch.ts'
import { firstAttempt, type WriteAttempt, writeBlobs, writeRows } from './write-batch.ts'

/** Every insert is a part that must be merged later: when little arrives, linger to form a larger batch. */
const lingerMs = 400

/** Runs until `isStopping`. Restores the state of the inbox first: cursor, seals, source map lookups. */
export async function runDigestLoop(options: LoopOptions): Promise<void> {
  const { source, control } = options
  const stored = await readCursor(control, source.inboxId)
  const planned = await listPlannedEnds(control, { inboxId: source.inboxId, batch: stored.batch })
  const seals = await openSeals(source.folder, stored, planned)
  try {
    const cursor = await recoverCursor(options, seals.committed, stored)
    if (cursor !== stored) options.report({ kind: 'recovered', cursor })
    await restoreSeals(options, seals, cursor, planned)
    await digestFrom(options, { seals, cursor, planned })
  } finally {
    await seals.close()
  }
}

type Restored = { seals: Seals; cursor: Cursor; planned: readonly PlannedEnd[] }

async function digestFrom(options: LoopOptions, { seals, cursor, planned }: Restored): Promise<void> {
  const { source, log } = options
  const lookups = await openLookupLog(source.folder, cursor.batch)
  try {
    if (lookups.damagedLines > 0)
      log.error(
        { file: 'lookups.log', lines: lookups.damagedLines },
        'source map lookups damaged; looking them up again; damaged file kept in inbox/damaged',
      )
    const symbolicate = createBatchSymbolicator({ ...options, lookups })
    const sumProfiles = createProfileRollup({ ...options, ...options.stores })
    await removeLeftBodies(source.folder, seals.committed)
    const files = createDigestedFiles(source.folder)
    const last = await digestBatches({ ...options, symbolicate, sumProfiles, planned, files }, seals, cursor)
    await seals.settle(last)
    await files.remove(seals.committed)
  } finally {
    await lookups.close()
  }
}

type DigestOptions = LoopOptions & {
  symbolicate: BatchSymbolicator
  sumProfiles: ProfileRollup
  planned: readonly PlannedEnd[]
  files: DigestedFiles
}

/** Gives the cursor of the last committed batch. */
async function digestBatches(options: DigestOptions, seals: Seals, start: Cursor): Promise<Cursor> {
  let committed = start
  /** The end of the last batch that was prepared; it may still be uncommitted. */
  let prepared = start
  let uncommitted: PreparedBatch | null = null
  let writing: Promise<Cursor> | null = null
  let lastStart = 0
  const sealedBefore = new Set(seals.pending(start.batch).map(seal => seal.batch))
  const { work, rest } = createIdleCollector()
  while (!options.isStopping()) {
    await linger(options, prepared, lastStart)
    lastStart = performance.now()
    const seal = await nextSeal(options, seals, prepared, { committed, isSettled: writing === null })
    if (seal) {
      const slice = await readBatch(options.source, seal)
      await keepDamagedFiles(options, slice)
      work(slice.sizeBytes)
      const batch = await prepareBatch(options, seal, slice, sealedBefore.has(seal.batch), uncommitted)
      prepared = cursorAfter(seal)
      if (writing) committed = await writing
      await freeDigested(options, seals)
      options.files.add(seal.batch, batch.spools)
      uncommitted = batch
      writing = writeAndCommit(options, batch)
      // An error is thrown where the promise is awaited; until then it must not count as unhandled.
      writing.catch(() => undefined)
    } else if (writing) {
      committed = await writing
      writing = null
      uncommitted = null
      await seals.settle(committed)
      await freeDigested(options, seals)
    } else {
      await freeDigested(options, seals)
      rest()
    }
  }
  return writing ? await writing : committed
}

async function freeDigested({ files, log }: DigestOptions, { committed }: Seals): Promise<void> {
  await files.remove(committed)
  await files
    .wipe(committed)
    .catch(error => log.warn({ error: String(error) }, 'digested records could not be overwritten; trying again later'))
}

const cursorAfter = (seal: Seal): Cursor => ({ batch: seal.batch, ...endOfSeal(seal) })

async function linger({ end, bound, isStopping }: LoopOptions, prepared: Cursor, lastStart: number): Promise<void> {
  const known = readEnd(end)
  const isBehind = prepared.segment < known.segment || known.position - prepared.position >= bound.maxBytes
  const sinceMs = performance.now() - lastStart
  if (isBehind || sinceMs >= lingerMs || isStopping()) return
  await new Promise(resolve => setTimeout(resolve, lingerMs - sinceMs))
}

async function keepDamagedFiles({ source, log }: LoopOptions, { damaged }: LogSlice): Promise<void> {
  for (const { segment, from, to } of damaged) {
    const isKept = await keepDamaged(source.folder, segment)
    const message = isKept ? 'inbox file damaged; file kept in inbox/damaged' : 'inbox file missing'
    log.error({ file: `inbox/${segmentName(segment)}`, from, to }, message)
  }
}

/** Process each record, symbolicate and regroup, find repeats, filter, link, and sum profiles: everything up to the first write. */
async function prepareBatch(
  options: DigestOptions,
  seal: Seal,
  slice: LogSlice,
  mayHaveArrived: boolean,
  uncommitted: PreparedBatch | null,
): Promise<PreparedBatch> {
  // Before any record is suspected: the control database may be down for minutes.
  const projectIds = new Set(slice.records.map(({ record }) => record.head.projectId))
  const ownRules = await retryUntilStopped(options, () => findOwnRules(options.control, projectIds, options.scrubKey))
  options.report({ kind: 'processing', batch: seal.batch, isPlanned: isPlanned(seal, options.planned) })
  const records = await processRecords(options.source, slice, {
    ...options,
    seal,
    ownRules,
    isIdle: watchIdle(options.end),
  })
  // From here on the batch waits for stores. They may be down for minutes, which is no reason to suspect one of its records.
  options.report({ kind: 'writing', batch: seal.batch })
  await options.symbolicate(seal, records, attempt => retryUntilStopped(options, attempt))
  const isRepeated = await findRepeats(options, records, uncommitted)
  const batch = await retryUntilStopped(options, () =>
    filterBatch({ ...planContext(options), seal, records, previous: uncommitted, mayHaveArrived, isRepeated }),
  )
  logFaults(options, batch, records)
  const profile_sums = await options.sumProfiles(batch, attempt => retryUntilStopped(options, attempt))
  return { ...batch, rows: { ...batch.rows, profile_sums } }
}

/** Tells whether ingest has accepted nothing since the last call. */
function watchIdle(end: SharedEnd): () => boolean {
  let last = readEnd(end)
  return () => {
    const before = last
    last = readEnd(end)
    return last.segment === before.segment && last.position === before.position
  }
}

async function findRepeats(
  options: DigestOptions,
  records: readonly BatchRecord[],
  uncommitted: PreparedBatch | null,
): Promise<IsRepeated> {
  const repeated = await retryUntilStopped(options, () => findRepeatedEvents(options.control, records))
  for (const { projectId, eventId } of uncommitted?.dedupeIds ?? []) repeated.add(`${projectId}:${eventId}`)
  return (projectId, eventId) => repeated.has(`${projectId}:${eventId}`)
}

function logFaults({ log }: DigestOptions, { batchId }: PreparedBatch, records: readonly BatchRecord[]): void {
  for (const { processed } of records)
    for (const { itemType, message } of processed.faults)
      log.error({ batch: batchId, itemType, fault: message }, 'item could not be processed; kept as a dead letter')
}

/** Blobs before the rows that refer to them, rows before the counters. */
async function writeAndCommit(options: LoopOptions, batch: PreparedBatch): Promise<Cursor> {
  const { control, stores, source, report, issueLimits: limits, isPast = false } = options
  const attempt = firstAttempt(batch)
  await retryUntilStopped(options, () => writeBlobs(batch, stores.blobs))
  const outcomes = await retryUntilStopped(options, () => tryWriteRows(options, batch, attempt))
  await retryUntilStopped(options, () => commitBatch(control, source.inboxId, batch, { limits, isPast }))
  report({ kind: 'committed', batch: batch.seal.batch, prepared: batch, outcomes })
  return cursorAfter(batch.seal)
}

/** Six halvings are 64 pieces: if a piece is still too large for the engine then, a smaller one will not help. */
const maxCuts = 6

/** Throws when the engine did not take the rows, and notes in `attempt` what the next try has to do differently. */
async function tryWriteRows({ stores }: LoopOptions, batch: PreparedBatch, attempt: WriteAttempt) {
  const isAnswering = await stores.telemetry.ping().catch(() => false)
  const result = await writeRows(batch, stores, attempt)
  if (result.kind === 'done') return result.outcomes
  attempt.mayHaveArrived = true
  if (isAnswering) attempt.failures += 1
  // A batch that is too large for the engine's memory would kill it again and again.
  if (isAnswering && result.isTooMuch) attempt.cuts = Math.min(maxCuts, attempt.cuts + 1)
  throw new Error(result.message)
}
