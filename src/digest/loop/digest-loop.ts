/**
 * The heart of digest. Batches are sealed, understood, written and committed in order; while the engine takes one, the next is
 * already being understood, so that neither waits for the other.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { readEnd, type SharedEnd, waitForEnd } from '#inbox/durable-end.ts'
import { readSlice } from '#inbox/read-log.ts'
import { openSeals, type Seal, type Seals } from '#inbox/seals.ts'
import { spoolFolder } from '#inbox/segments.ts'
import type { Control } from '#store/control/control.ts'
import { applyFilters } from '../filter/apply-filters.ts'
import { findFilters } from '../filter/find-filters.ts'
import { type Cursor, commitBatch, readCursor } from './commit-batch.ts'
import { dropDiscarded } from './drop-discarded.ts'
import { findDiscarded } from './find-discarded.ts'
import { findRepeated } from './find-repeated.ts'
import { assembleBatch, readSealed, type Source, understandAll } from './prepare-batch.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import { removeDigested } from './remove-digested.ts'
import { type WriteStores, writeBlobs, writeRows } from './write-rows.ts'

const KiB = 1024
/** Larger batches compress and insert better; smaller ones bound memory. Two are in memory at a time. */
const bound = { maxRecords: 3_000, maxBytes: 6 * KiB * KiB }
/** Every insert is a part that must be merged: when little arrives, wait for company, unless the batch is full anyway. */
const companyMs = 400
const retryMs = { first: 100, most: 5_000 }

export type Progress = { kind: 'understanding' | 'writing' | 'committed'; batch: number; prepared?: PreparedBatch }
export type LoopOptions = {
  source: Source
  end: SharedEnd
  control: Control
  stores: WriteStores
  log: Logger
  report(progress: Progress): void
  /** The batch whose understanding killed an earlier thread, and must be halved (or, if it is one record, set aside). */
  suspectBatch: number | null
  isStopping(): boolean
}

export async function runDigestLoop(options: LoopOptions): Promise<void> {
  const { source, control } = options
  const cursor = await readCursor(control, source.inboxId)
  const seals = await openSeals(source.folder, cursor.batch)
  try {
    await digestSealed(options, seals, cursor)
  } finally {
    await seals.close()
  }
}

async function digestSealed(options: LoopOptions, seals: Seals, begun: Cursor): Promise<void> {
  let cursor = begun
  const sealedBefore = new Set(seals.pending(cursor.batch).map(seal => seal.batch))
  let writing: Promise<Cursor> | null = null
  let uncommitted: PreparedBatch | null = null
  let ahead = cursor
  let lastStart = 0
  while (!options.isStopping()) {
    await gather(options, ahead, lastStart)
    lastStart = performance.now()
    const next = await nextSeal(options, seals, ahead, cursor.batch)
    if (next) {
      const { seal } = next
      const batch = await prepare(options, next, sealedBefore.has(seal.batch), uncommitted)
      ahead = { batch: seal.batch, segment: seal.segment, position: seal.end }
      if (writing) cursor = await writing
      uncommitted = batch
      writing = settle(options, batch)
      // An error must not be lost while the next batch is prepared: it is seen when the promise is awaited.
      writing.catch(() => undefined)
    } else if (writing) {
      cursor = await writing
      writing = null
      uncommitted = null
    }
  }
  if (writing) await writing
}

async function gather({ end, isStopping }: LoopOptions, ahead: Cursor, lastStart: number): Promise<void> {
  const known = readEnd(end)
  const isBehind = ahead.segment < known.segment || known.position - ahead.position >= bound.maxBytes
  const since = performance.now() - lastStart
  if (isBehind || since >= companyMs || isStopping()) return
  await new Promise(resolve => setTimeout(resolve, companyMs - since))
}

type Next = { seal: Seal; isPoisoned: boolean }

/** A seal from an earlier life comes first; else the next records are sealed now; null when there is nothing within a second. */
async function nextSeal(options: LoopOptions, seals: Seals, ahead: Cursor, committed: number): Promise<Next | null> {
  const batch = ahead.batch + 1
  const kept = seals.pending(committed).find(seal => seal.batch === batch)
  if (kept && options.suspectBatch === batch) return halve(options, seals, kept, committed)
  if (kept) return { seal: kept, isPoisoned: false }
  const known = readEnd(options.end)
  const slice = await readSlice(options.source.folder, ahead, known, bound)
  const [first] = slice.records
  if (!first) {
    await waitForEnd(options.end, known, 1_000)
    return null
  }
  const seal = { batch, segment: first.place.segment, start: first.place.position, end: slice.next.position }
  await seals.write(seal, committed)
  return { seal, isPoisoned: false }
}

/**
 * Nothing of a batch is written while it is being understood, so it may still be cut smaller. A record is poisonous only when it
 * has ended the thread alone: the first half of a pair is as likely to be innocent.
 */
async function halve({ source }: LoopOptions, seals: Seals, seal: Seal, committed: number): Promise<Next> {
  const { records } = await readSealed(source, seal)
  const middle = records[records.length >> 1]
  if (records.length < 2 || !middle) return { seal, isPoisoned: true }
  const smaller = { ...seal, end: middle.place.position }
  await seals.write(smaller, committed)
  return { seal: smaller, isPoisoned: false }
}

async function prepare(
  options: LoopOptions,
  { seal, isPoisoned }: Next,
  mayHaveArrived: boolean,
  uncommitted: PreparedBatch | null,
): Promise<PreparedBatch> {
  const { source, control } = options
  const slice = await readSealed(source, seal)
  options.report({ kind: 'understanding', batch: seal.batch })
  const understood = understandAll(source, slice, isPoisoned)
  // From here on nothing of the batch's making can hold the thread up: a database that is away for minutes is no reason to suspect it.
  options.report({ kind: 'writing', batch: seal.batch })
  const repeated = await retrying(options, () => findRepeated(control, understood))
  for (const { projectId, eventId } of uncommitted?.dedupeIds ?? []) repeated.add(`${projectId}:${eventId}`)
  const filters = await retrying(options, () => findFilters(control, understood))
  const wanted = understood.map(each => applyFilters(each, filters))
  const discarded = await retrying(options, () => findDiscarded(control, wanted))
  const batch = assembleBatch({
    seal,
    inboxId: source.inboxId,
    mayHaveArrived,
    understood: wanted.map(each => dropDiscarded(each, discarded)),
    isRepeated: (projectId, eventId) => repeated.has(`${projectId}:${eventId}`),
  })
  for (const { yielded } of understood)
    for (const fault of yielded.faults)
      options.log.error(
        { batch: batch.batchId, itemType: fault.itemType, fault: fault.message },
        'an item could not be understood; its bytes are kept',
      )
  return batch
}

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
    throw new Error(fate.message)
  })
  await retrying(options, () => commitBatch(control, source.inboxId, batch))
  options.report({ kind: 'committed', batch: batch.seal.batch, prepared: batch })
  const cursor = { batch: batch.seal.batch, segment: batch.seal.segment, position: batch.seal.end }
  for (const name of batch.spools) await rm(join(spoolFolder(source.folder), name), { force: true })
  await removeDigested(source.folder, cursor)
  return cursor
}

/** The engine or the control database may be away for a while; what was accepted waits in the inbox. */
async function retrying<Value>({ log, isStopping }: LoopOptions, attempt: () => Promise<Value>): Promise<Value> {
  for (let waitMs = retryMs.first; ; waitMs = Math.min(waitMs * 2, retryMs.most)) {
    try {
      return await attempt()
    } catch (error) {
      if (isStopping()) throw error
      log.warn(
        { error: error instanceof Error ? error.message.slice(0, 300) : String(error), waitMs },
        'a store did not take the batch; trying again',
      )
      await new Promise(resolve => setTimeout(resolve, waitMs))
    }
  }
}
