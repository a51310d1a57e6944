import type { ColumnType } from './field.ts'

export type Cell = string | number | boolean | null

/** The engine writes wide numbers as text, and moments as milliseconds. */
export function readCell(value: unknown, type: ColumnType): Cell {
  if (value === null || value === undefined) return null
  if (type === 'string') return String(value)
  if (type === 'boolean') return Number(value) === 1
  return type === 'date' ? new Date(Number(value)).toISOString() : Number(value)
}
