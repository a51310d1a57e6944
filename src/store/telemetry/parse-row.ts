/** Validates rows that were stored as JSON against the columns of their table. */
import { z } from 'zod'
import type { ColumnType } from './native/column-type.ts'
import type { Rows, TableName } from './rows.ts'
import { rowColumns } from './tables.ts'

/** `rowSchema('events').parse(JSON.parse(text))` fails on a missing column or a value of the wrong type. */
export function rowSchema<Table extends TableName>(table: Table): z.ZodType<Rows[Table]> {
  const columns = rowColumns(table).map(([name, { type }]) => [name, valueSchema(type)] as const)
  // The columns of the schema are those of the table, which is what Rows describes.
  return z.object(Object.fromEntries(columns)) as unknown as z.ZodType<Rows[Table]>
}

function valueSchema(type: ColumnType): z.ZodType {
  if (type === 'Bool') return z.boolean()
  if (type === 'UInt64') return z.union([z.number(), z.string().regex(/^\d+$/)])
  if (type.startsWith('Map')) return z.record(z.string(), type.endsWith('Float64)') ? z.number() : z.string())
  if (type.startsWith('Array')) return z.array(type.includes('String') ? z.string() : z.number())
  return type === 'UUID' || type.includes('String') ? z.string() : z.number()
}
