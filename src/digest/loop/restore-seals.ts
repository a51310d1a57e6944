/**
 * A seal that was lost with a damaged line, or with the whole file. Its batch may be half written, so it must be repeated with the
 * same records. The plan of the batch, which stands in the control database before its first row is written, says where it ended;
 * the records themselves give the rest of the seal. A batch without a plan has no rows, and is sealed anew.
 */
import type { Logger } from 'pino'
import { contentOf, endOfSeal, type PlannedEnd, type Seal, type Seals } from '#inbox/seals.ts'
import type { Cursor } from './commit-batch.ts'
import { readUpTo, type Source } from './prepare-batch.ts'

type Options = { source: Source; log: Logger }

export async function restoreSeals(
  { source, log }: Options,
  seals: Seals,
  cursor: Cursor,
  planned: readonly PlannedEnd[],
): Promise<void> {
  const pending = seals.pending(cursor.batch)
  const lost = planned.filter(({ batch }) => batch > cursor.batch && !pending.some(seal => seal.batch === batch))
  if (seals.damagedLines > 0 || lost.length > 0)
    log.error(
      { file: 'seals.log', lines: seals.damagedLines, restoredBatches: lost.map(({ batch }) => batch) },
      'seals of the inbox are damaged; batches that had begun are repeated as the control database knows them',
    )
  if (lost.length === 0) return
  let begin = { segment: cursor.segment, position: cursor.position }
  for (let batch = cursor.batch + 1; ; batch++) {
    const kept = pending.find(seal => seal.batch === batch)
    const end = lost.find(plan => plan.batch === batch)?.end
    const seal = kept ?? (end && (await sealUpTo(source, batch, begin, end)))
    if (seal === undefined) return
    // A line replaces those of all later batches, so each is written again in its turn.
    await seals.write(seal, cursor)
    begin = endOfSeal(seal)
  }
}

async function sealUpTo(
  source: Source,
  batch: number,
  begin: PlannedEnd['end'],
  end: PlannedEnd['end'],
): Promise<Seal> {
  const { records, damaged } = await readUpTo(source, begin, end)
  const { segment, position: start } = damaged.length > 0 ? begin : (records[0]?.place ?? begin)
  const content = contentOf(records)
  const { retentionDays } = source
  return { batch, segment, start, endSegment: end.segment, end: end.position, content, retentionDays }
}
