/** The inbox cursor: the last batch that is committed, and where in the log it ended. */
import type { Transaction } from 'kysely'
import { endOfSeal, type Seal } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export type Cursor = { batch: number; segment: number; position: number }

export async function readCursor(control: Control, inboxId: string): Promise<Cursor> {
  const row = await control.db
    .selectFrom('inbox_cursor')
    .select(['batch', 'segment', 'position'])
    .where('inbox_id', '=', inboxId)
    .executeTakeFirst()
  return row ?? { batch: 0, segment: 0, position: 0 }
}

export const listCursors = (control: Control): Promise<(Cursor & { inboxId: string })[]> =>
  control.db.selectFrom('inbox_cursor').select(['inbox_id as inboxId', 'batch', 'segment', 'position']).execute()

/** False when the batch is committed already. */
export async function moveCursor(
  trx: Transaction<ControlSchema>,
  inboxId: string,
  seal: Seal,
  at: number,
): Promise<boolean> {
  const values = { batch: seal.batch, ...endOfSeal(seal), updated_at: at }
  const result = await trx
    .insertInto('inbox_cursor')
    .values({ inbox_id: inboxId, ...values })
    .onConflict(conflict =>
      conflict.column('inbox_id').doUpdateSet(values).where('inbox_cursor.batch', '<', seal.batch),
    )
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}
