import type { Logger } from 'pino'
import { contentOf, endOfSeal, type PlannedEnd, type Seal, type Seals } from '#inbox/seals.ts'
import type { Cursor } from './cursor.ts'
import { readRange, type Source } from './process-records.ts'

/**
 * Restores seals that were lost with a damaged line or with the whole file. Their batches may be half written, so they must be
 * repeated with the same records. The plan of a batch is in the control database before its first row is written and says where
 * the batch ended; the rest of the seal follows from the records. A batch without a plan has no rows and is sealed again.
 */
export async function restoreSeals(
  { source, log }: { source: Source; log: Logger },
  seals: Seals,
  cursor: Cursor,
  planned: readonly PlannedEnd[],
): Promise<void> {
  const pending = seals.pending(cursor.batch)
  const lost = planned.filter(({ batch }) => batch > cursor.batch && !pending.some(seal => seal.batch === batch))
  if (seals.damagedLines > 0 || lost.length > 0)
    log.error(
      { file: 'seals.log', lines: seals.damagedLines, restoredBatches: lost.map(({ batch }) => batch) },
      'seals damaged; repeating unfinished batches from their plans in the control database',
    )
  if (lost.length === 0) return
  let begin = { segment: cursor.segment, position: cursor.position }
  for (let batch = cursor.batch + 1; ; batch++) {
    const kept = pending.find(seal => seal.batch === batch)
    const end = lost.find(plan => plan.batch === batch)?.end
    const seal = kept ?? (end && (await sealRange(source, batch, begin, end)))
    if (seal === undefined) return
    // A line replaces those of all later batches, so each one is written again in order.
    await seals.write(seal, cursor)
    begin = endOfSeal(seal)
  }
}

async function sealRange(
  source: Source,
  batch: number,
  begin: PlannedEnd['end'],
  end: PlannedEnd['end'],
): Promise<Seal> {
  const { records, damaged } = await readRange(source, begin, end)
  const { segment, position: start } = damaged.length > 0 ? begin : (records[0]?.at ?? begin)
  const content = contentOf(records)
  const { retentionDays } = source
  return { batch, segment, start, endSegment: end.segment, end: end.position, content, retentionDays }
}
