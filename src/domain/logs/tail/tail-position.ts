import { unscopedStores } from '#domain/access/unscoped-stores.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Control } from '#store/control/control.ts'
import { formatPosition } from './position-text.ts'

/** The last committed batch of each inbox. The same for all viewers: it says nothing of what the batches hold. */
export async function readCommitted({ db }: Pick<Control, 'db'>): Promise<Map<string, number>> {
  const rows = await db.selectFrom('inbox_cursor').select(['inbox_id', 'batch']).limit(1_000).execute()
  return new Map(rows.map(row => [row.inbox_id, row.batch]))
}

/** Where a stream begins that continues a page: lines of later batches may be missing on it. */
export const readTailStart = async (viewer: Viewer): Promise<string> =>
  formatPosition(await readCommitted(unscopedStores(viewer).control), viewer.now)
