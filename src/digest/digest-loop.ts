/**
 * The heart of digest. Batches are sealed, understood, written and committed in order; while the engine takes one, the next is
 * already being understood, so that neither waits for the other.
 */

import type { LogSlice } from '#inbox/read-log.ts'
import { endOfSeal, isPlanned, openSeals, type PlannedEnd, type Seal, type Seals } from '#inbox/seals.ts'
import { readEnd, type SharedEnd } from '#inbox/segment-ends.ts'
import { keepDamaged, segmentName } from '#inbox/segments.ts'
import { createIdleCollector } from '#lib/idle-collector.ts'
import { type Cursor, commitBatch, readCursor } from './commit-batch.ts'
import { sortOut } from './filter-batch.ts'
import { findRepeated } from './find-repeated.ts'
import { listPlannedEnds } from './link/plan-batch.ts'
import type { LoopOptions } from './loop-options.ts'
import { planContext } from './loop-options.ts'
import { nextSeal } from './next-seal.ts'
import { processAll, readSealed } from './prepare-batch.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import { createDigestedFiles, type DigestedFiles, recoverCursor, restoreSeals } from './recover-cursor.ts'
import { retrying } from './refusals.ts'
import { openLookupLog } from './symbolicate/lookup-log.ts'
import { type BatchMapper, createBatchMapper } from './symbolicate/symbolicate-batch.ts'
import { writeBlobs, writeRows } from './write-batch.ts'

/** Every insert is a part that must be merged: when little arrives, wait for company, unless the batch is full anyway. */
const lingerMs = 400

export async function runDigestLoop(options: LoopOptions): Promise<void> {
  const { source, control } = options
  const stored = await readCursor(control, source.inboxId)
  const planned = await listPlannedEnds(control, { inboxId: source.inboxId, batch: stored.batch })
  const seals = await openSeals(source.folder, stored, planned)
  const cursor = await recoverCursor(options, seals.committed, stored)
  if (cursor !== stored) options.report({ kind: 'recovered', cursor })
  await restoreSeals(options, seals, cursor, planned)
  const lookups = await openLookupLog(source.folder, cursor.batch)
  if (lookups.damagedLines > 0)
    options.log.error(
      { file: 'lookups.log', lines: lookups.damagedLines },
      'lines of the inbox’s source map lookups are damaged; they are looked up again; the file is kept in inbox/damaged',
    )
  const mapStacks = createBatchMapper({ ...options, lookups })
  const files = createDigestedFiles(source.folder)
  try {
    const last = await digestSealed({ ...options, mapStacks, planned, files }, seals, cursor)
    await seals.settle(last)
    await files.remove(seals.committed)
  } finally {
    await seals.close()
    await lookups.close()
  }
}

type SealedOptions = LoopOptions & { mapStacks: BatchMapper; planned: readonly PlannedEnd[]; files: DigestedFiles }

async function digestSealed(options: SealedOptions, seals: Seals, begun: Cursor): Promise<Cursor> {
  let cursor = begun
  const sealedBefore = new Set(seals.pending(cursor.batch).map(seal => seal.batch))
  let writing: Promise<Cursor> | null = null
  let uncommitted: PreparedBatch | null = null
  let ahead = cursor
  let lastStart = 0
  const { work, rest } = createIdleCollector()
  while (!options.isStopping()) {
    await gather(options, ahead, lastStart)
    lastStart = performance.now()
    const seal = await nextSeal(options, seals, ahead, { committed: cursor, isSettled: writing === null })
    if (seal) {
      const slice = await readSealed(options.source, seal)
      for (const { segment, from, to } of slice.damaged) {
        const isKept = await keepDamaged(options.source.folder, segment)
        const message = isKept
          ? 'a part of the inbox is damaged; its file is kept in inbox/damaged'
          : 'a file of the inbox is missing'
        options.log.error({ file: `inbox/${segmentName(segment)}`, from, to }, message)
      }
      work(slice.sizeBytes)
      const batch = await prepare(options, seal, slice, sealedBefore.has(seal.batch), uncommitted)
      ahead = { batch: seal.batch, ...endOfSeal(seal) }
      if (writing) cursor = await writing
      await options.files.remove(seals.committed)
      options.files.add(seal.batch, batch.spools)
      uncommitted = batch
      writing = settle(options, batch)
      // An error must not be lost while the next batch is prepared: it is seen when the promise is awaited.
      writing.catch(() => undefined)
    } else if (writing) {
      cursor = await writing
      writing = null
      uncommitted = null
      await seals.settle(cursor)
      await options.files.remove(seals.committed)
    } else rest()
  }
  return writing ? await writing : cursor
}

/** Tells whether anything has been accepted since it was last asked. */
function watchInbox(end: SharedEnd): () => boolean {
  let last = readEnd(end)
  return () => {
    const before = last
    last = readEnd(end)
    return last.segment === before.segment && last.position === before.position
  }
}

async function gather({ end, bound, isStopping }: LoopOptions, ahead: Cursor, lastStart: number): Promise<void> {
  const known = readEnd(end)
  const isBehind = ahead.segment < known.segment || known.position - ahead.position >= bound.maxBytes
  const since = performance.now() - lastStart
  if (isBehind || since >= lingerMs || isStopping()) return
  await new Promise(resolve => setTimeout(resolve, lingerMs - since))
}

async function prepare(
  options: SealedOptions,
  seal: Seal,
  slice: LogSlice,
  mayHaveArrived: boolean,
  uncommitted: PreparedBatch | null,
): Promise<PreparedBatch> {
  const { source, control } = options
  options.report({ kind: 'understanding', batch: seal.batch, isPlanned: isPlanned(seal, options.planned) })
  const records = await processAll(source, slice, { ...options, seal, isQuiet: watchInbox(options.end) })
  // From here on nothing of the batch's making can hold the thread up: a database that is away for minutes is no reason to suspect it.
  options.report({ kind: 'writing', batch: seal.batch })
  await options.mapStacks(seal, records, attempt => retrying(options, attempt))
  const repeated = await retrying(options, () => findRepeated(control, records))
  for (const { projectId, eventId } of uncommitted?.dedupeIds ?? []) repeated.add(`${projectId}:${eventId}`)
  const isRepeated = (projectId: number, eventId: string): boolean => repeated.has(`${projectId}:${eventId}`)
  const batch = await retrying(options, () =>
    sortOut({ ...planContext(options), seal, records, before: uncommitted, mayHaveArrived, isRepeated }),
  )
  for (const { processed } of records)
    for (const fault of processed.faults)
      options.log.error(
        { batch: batch.batchId, itemType: fault.itemType, fault: fault.message },
        'an item could not be understood; its bytes are kept',
      )
  return batch
}

/** 64 pieces of a table's rows: what is still too much then, no piece makes small enough. */
const mostCuts = 6

/** Blobs before the rows that name them, rows before the counters that count them. */
async function settle(options: LoopOptions, batch: PreparedBatch): Promise<Cursor> {
  const { control, stores, source } = options
  await retrying(options, () => writeBlobs(batch, stores.blobs))
  await retrying(options, async () => {
    const isAnswering = await stores.telemetry.ping().catch(() => false)
    const fate = await writeRows(batch, stores)
    if (fate.kind === 'done') return
    batch.mayHaveArrived = true
    if (isAnswering) batch.failures += 1
    // Retried as it was, a batch that is too large for the engine's memory would end it forever.
    if (isAnswering && fate.isTooMuch) batch.cuts = Math.min(mostCuts, batch.cuts + 1)
    throw new Error(fate.message)
  })
  await retrying(options, () => commitBatch(control, source.inboxId, batch))
  options.report({ kind: 'committed', batch: batch.seal.batch, prepared: batch })
  return { batch: batch.seal.batch, ...endOfSeal(batch.seal) }
}
