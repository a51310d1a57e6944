import type { Logger } from 'pino'
import type { Committed } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import { requestReconciliation } from '#store/control/request-reconciliation.ts'
import { findStoredIds } from '#store/telemetry/find-arrived.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { Cursor } from './cursor.ts'
import { retryUntilStopped } from './retry.ts'

type Options = {
  control: Control
  stores: { telemetry: Telemetry }
  source: { inboxId: string }
  log: Logger
  isStopping(): boolean
}

/**
 * A control database that was restored from a backup is behind its inbox. The batches in between are in telemetry and their
 * records may be gone, so digest continues after them. The counters lack them: reconciliation rebuilds those from telemetry.
 */
export async function recoverCursor(options: Options, known: Committed, cursor: Cursor): Promise<Cursor> {
  if (known.batch <= cursor.batch) return cursor
  const { control, source, log } = options
  log.warn(
    { inboxId: source.inboxId, controlBatch: cursor.batch, inboxBatch: known.batch },
    'control database is older than the inbox; continuing after the stored batches; rebuilding their counters from telemetry',
  )
  await retryUntilStopped(options, () => deleteStoredHeldEvents(options))
  const values = { batch: known.batch, segment: known.segment, position: known.position, updated_at: Date.now() }
  await retryUntilStopped(options, () =>
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

/** Deletes held events that were released and stored after the backup was made: they would be stored twice. */
async function deleteStoredHeldEvents({ control, stores, source }: Options): Promise<void> {
  const held = await control.db
    .selectFrom('held_event')
    .select(['event_id', 'project_id'])
    .where('inbox_id', '=', source.inboxId)
    .execute()
  if (held.length === 0) return
  const stored = await findStoredIds(stores.telemetry, held)
  if (stored.length > 0)
    await control.db
      .deleteFrom('held_event')
      .where('inbox_id', '=', source.inboxId)
      .where('event_id', 'in', stored)
      .execute()
}
