/** Encodes rows as one block of ClickHouse's Native format, which the engine reads several times as fast as any text format. */
import { newBytes, putText, putVarint } from './native/bytes.ts'
import { putColumn } from './native/put-column.ts'
import type { Rows, TableName } from './rows.ts'
import type { Column } from './tables/define-table.ts'
import { rowColumns } from './tables.ts'

/** Column names in the order of the INSERT; `batch_id` is last because the writer adds it. */
export const insertColumns = (table: TableName): string[] => [...rowColumns(table).map(([name]) => name), 'batch_id']

const minBufferBytes = 4096
const maxBufferBytes = 16 * 1024 * 1024 // after a batch of one huge row, the estimate for thousands would be far too large
/** Bytes per row of each table in the last batch plus 10 %, so that the buffer rarely has to grow. */
const rowBytes = new Map<TableName, number>()

/** Throws UnfitValue if a value does not fit its column. Rows of a batch share its id; a list has an id for each row. */
export function encodeRows<Table extends TableName>(
  table: Table,
  rows: readonly Rows[Table][],
  batchId: string | readonly string[],
): Buffer {
  const columns = rowColumns(table) as [keyof Rows[Table], Column][]
  const bytes = newBytes(Math.min(minBufferBytes + rows.length * (rowBytes.get(table) ?? 0), maxBufferBytes))
  putVarint(bytes, columns.length + 1)
  putVarint(bytes, rows.length)
  for (const [name, { type }] of columns) {
    putText(bytes, String(name))
    putText(bytes, type)
    putColumn(
      bytes,
      type,
      rows.map(row => row[name]),
    )
  }
  putText(bytes, 'batch_id')
  putText(bytes, 'String')
  for (let at = 0; at < rows.length; at++) putText(bytes, typeof batchId === 'string' ? batchId : (batchId[at] ?? ''))
  rowBytes.set(table, Math.ceil((1.1 * bytes.length) / Math.max(1, rows.length)))
  return bytes.buffer.subarray(0, bytes.length)
}
