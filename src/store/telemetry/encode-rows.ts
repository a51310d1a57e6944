/** Rows as the bytes of one JSONCompactEachRow insert. */
import type { Rows, TableName } from './rows.ts'
import { tables } from './tables.ts'

/** Column names as the insert statement lists them; batch_id comes last because the writer adds it. */
export const insertColumns = (table: TableName): string[] => [...tables[table].columns, 'batch_id']

/**
 * Values are arrays in column order: the names are written once in the statement, not once a row. A lone surrogate would be
 * refused by the engine's parser, so text is made well-formed by JSON.stringify's own escapes (`\udXXX`), which it accepts.
 */
export function encodeRows<Table extends TableName>(
  table: Table,
  rows: readonly Rows[Table][],
  batchId: string,
): string {
  const columns: readonly string[] = tables[table].columns
  const width = columns.length
  const values: unknown[] = new Array(width + 1)
  values[width] = batchId
  let text = ''
  for (const row of rows as readonly Record<string, unknown>[]) {
    for (let index = 0; index < width; index++) values[index] = row[columns[index] as string]
    text += JSON.stringify(values)
    text += '\n'
  }
  return text
}
