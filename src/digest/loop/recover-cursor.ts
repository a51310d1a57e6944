/**
 * A control database that was restored from a copy is behind what its inbox knows to be committed. Those batches are in telemetry
 * and their records may be gone, so they are not repeated: digest goes on behind them. Their
 * days are compared with telemetry again, since the counters lack these batches.
 */
import type { Logger } from 'pino'
import type { Committed } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import { findStoredIds } from '#store/telemetry/find-stored-ids.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { requestReconciliation } from '../reconcile/reconciliation-days.ts'
import type { Cursor } from './commit-batch.ts'
import { retrying } from './retrying.ts'

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
