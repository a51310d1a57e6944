/**
 * A control database that was restored from a copy is behind what its inbox knows to be committed. Those batches are in telemetry
 * and their records may be gone, so they are not repeated: digest goes on behind them. Their
 * days are compared with telemetry again, since the counters lack these batches.
 */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Committed, contentOf, endOfSeal, type PlannedEnd, type Seal, type Seals } from '#inbox/seals.ts'
import { giveBack, listSegments, spoolFolder } from '#inbox/segments.ts'
import type { Control } from '#store/control/control.ts'
import { requestReconciliation } from '#store/control/request-reconciliation.ts'
import { findStoredIds } from '#store/telemetry/find-arrived.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { Cursor } from './commit-batch.ts'
import { readUpTo, type Source } from './prepare-batch.ts'
import { retrying } from './refusals.ts'

type Options = {
  control: Control
  stores: { telemetry: Telemetry }
  source: { inboxId: string }
  log: Logger
  isStopping(): boolean
}

export async function recoverCursor(options: Options, known: Committed, cursor: Cursor): Promise<Cursor> {
  if (known.batch <= cursor.batch) return cursor
  const { control, source, log } = options
  log.warn(
    { inboxId: source.inboxId, controlBatch: cursor.batch, inboxBatch: known.batch },
    'the control database is older than the inbox; digest continues after the batches that are stored; their counters are rebuilt from telemetry',
  )
  await retrying(options, () => dropReleased(options))
  const values = { batch: known.batch, segment: known.segment, position: known.position, updated_at: Date.now() }
  await retrying(options, () =>
    control.db.transaction().execute(async trx => {
      await trx
        .insertInto('inbox_cursor')
        .values({ inbox_id: source.inboxId, ...values })
        .onConflict(conflict => conflict.column('inbox_id').doUpdateSet(values))
        .execute()
      await trx
        .deleteFrom('batch_plan')
        .where('inbox_id', '=', source.inboxId)
        .where('batch', '<=', known.batch)
        .execute()
      await requestReconciliation(trx, Date.now())
    }),
  )
  return { batch: known.batch, segment: known.segment, position: known.position }
}

/** Events that wait by the copy, and were stored since: released again, they would be stored twice. */
async function dropReleased({ control, stores, source }: Options): Promise<void> {
  const waiting = await control.db
    .selectFrom('held_event')
    .select(['event_id', 'project_id'])
    .where('inbox_id', '=', source.inboxId)
    .execute()
  if (waiting.length === 0) return
  const stored = await findStoredIds(stores.telemetry, waiting)
  if (stored.length > 0)
    await control.db
      .deleteFrom('held_event')
      .where('inbox_id', '=', source.inboxId)
      .where('event_id', 'in', stored)
      .execute()
}

/*
 * A seal that was lost with a damaged line, or with the whole file. Its batch may be half written, so it must be repeated with the
 * same records. The plan of the batch, which stands in the control database before its first row is written, says where it ended;
 * the records themselves give the rest of the seal. A batch without a plan has no rows, and is sealed anew.
 */

type RestoreOptions = { source: Source; log: Logger }

export async function restoreSeals(
  { source, log }: RestoreOptions,
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
  const { segment, position: start } = damaged.length > 0 ? begin : (records[0]?.at ?? begin)
  const content = contentOf(records)
  const { retentionDays } = source
  return { batch, segment, start, endSegment: end.segment, end: end.position, content, retentionDays }
}

/*
 * Files of the inbox whose every record is committed are used again or deleted: the disk comes back as digest goes on. They wait until
 * seals.log says so too: a control database that lost its last commits would look for them.
 */

export type DigestedFiles = {
  /** The large bodies of a batch. */
  add(batch: number, spools: string[]): void
  /** Takes away what lies before the batch that seals.log durably names as committed. */
  remove(committed: Committed): Promise<void>
}

export function createDigestedFiles(folder: string): DigestedFiles {
  let waiting: { batch: number; spools: string[] }[] = []
  let removedUpTo = 0
  return {
    add: (batch, spools) => void waiting.push({ batch, spools }),
    remove: async committed => {
      if (committed.batch === removedUpTo) return
      for (const { spools } of waiting.filter(({ batch }) => batch <= committed.batch))
        for (const name of spools) await rm(join(spoolFolder(folder), name), { force: true })
      waiting = waiting.filter(({ batch }) => batch > committed.batch)
      for (const segment of await listSegments(folder)) if (segment < committed.segment) await giveBack(folder, segment)
      removedUpTo = committed.batch
    },
  }
}
