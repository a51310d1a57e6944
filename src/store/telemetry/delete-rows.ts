import { z } from 'zod'
import { localName, onEveryNode, systemTable, type TableLayout } from './table-layout.ts'
import type { TableName } from './tables.ts'
import type { Telemetry } from './telemetry.ts'

const pollMs = 200
const giveUpAfterMs = 4 * 60_000
const pendingRow = z.object({ pending: z.coerce.number(), failure: z.string() })

/**
 * Deletes rows, and resolves when they are gone. DELETE takes no bound parameters: `where` holds only numbers and hex digits.
 * The statement is not the one that waits: the embedded engine runs one at a time, and every page would wait with it.
 */
export async function deleteRows(
  telemetry: Telemetry,
  layout: TableLayout,
  table: TableName | 'issue_state',
  where: string,
  how: 'hide' | 'remove' = 'remove',
): Promise<void> {
  const target = onEveryNode(layout, table)
  // Hiding rows is cheap, and slows every later read of their part until it is merged.
  const statement = how === 'remove' ? `ALTER TABLE ${target} DELETE` : `DELETE FROM ${target}`
  await mutate(telemetry, layout, table, `${statement} WHERE ${where}`)
}

/** Changes rows of a table, and resolves when all of them are changed. */
export async function mutate(
  telemetry: Telemetry,
  layout: TableLayout,
  table: TableName | 'issue_state',
  statement: string,
): Promise<void> {
  await telemetry.command(statement, { lightweight_deletes_sync: '0', mutations_sync: '0' })
  for (const giveUpMs = performance.now() + giveUpAfterMs; performance.now() < giveUpMs; ) {
    const { pending, failure } = await readPending(telemetry, layout, table)
    if (failure !== '') throw new Error(`Couldn't change rows of ${table}: ${failure}`)
    if (pending === 0) return
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  throw new Error(`A change of rows of ${table} takes longer than ${giveUpAfterMs / 60_000} minutes.`)
}

async function readPending(
  telemetry: Telemetry,
  layout: TableLayout,
  table: string,
): Promise<z.output<typeof pendingRow>> {
  const [row] = await telemetry.query({
    query: `SELECT count() AS pending, max(latest_fail_reason) AS failure FROM ${systemTable(layout, 'mutations')}
            WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done LIMIT 1`,
    params: { table: localName(layout, table) },
    schema: pendingRow,
  })
  return row ?? { pending: 0, failure: '' }
}
