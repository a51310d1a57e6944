import type { Rows, TableName } from '#store/telemetry/rows.ts'
import type { RecordYield } from './yield.ts'

export function addRow<Table extends TableName>(out: RecordYield, table: Table, row: Rows[Table]): void {
  const rows = out.rows as { [T in Table]?: Rows[T][] }
  const list = rows[table]
  if (list === undefined) rows[table] = [row]
  else list.push(row)
}
