/** Partitions are named by day (or Monday of the week) and retention in days: `20261115-90`. */
import type { Rows, TableName } from './rows.ts'
import { ticksOf } from './tables/define-table.ts'
import { shapeOf, tableNames } from './tables.ts'

const days = Object.fromEntries(tableNames.map(table => [table, readDay(table)])) as Record<
  TableName,
  ReturnType<typeof readDay>
>
const daysCache = new Map<number, string>()

export function partitionOf<Table extends TableName>(table: Table, row: Rows[Table]): string {
  const { column, ticksPerSecond, isWeekly } = days[table]
  const dayNumber = Math.floor(Number((row as Readonly<Record<string, unknown>>)[column]) / ticksPerSecond / 86_400)
  return `${dayName(isWeekly ? mondayBefore(dayNumber) : dayNumber)}-${row.retention_days}`
}

function readDay(table: TableName) {
  const { columns, day } = shapeOf(table)
  const column = columns[day.column]
  if (!column) throw new Error(`${table} has no column ${day.column}`)
  return { column: day.column, ticksPerSecond: ticksOf(column), isWeekly: day.isWeekly }
}

/** Day 0, in 1970, was a Thursday. */
const mondayBefore = (dayNumber: number): number => dayNumber - ((dayNumber + 3) % 7)

function dayName(dayNumber: number): string {
  let name = daysCache.get(dayNumber)
  if (name === undefined) {
    name = new Date(dayNumber * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
    if (daysCache.size > 1_000) daysCache.clear()
    daysCache.set(dayNumber, name)
  }
  return name
}

type Partition = { id: string; dayNumber: number; retentionDays: number }

export function parsePartition(id: string): Partition | null {
  const match = /^(\d{4})(\d{2})(\d{2})-(\d+)$/.exec(id)
  if (!match) return null
  const [, year, month, day, retention] = match
  return {
    id,
    dayNumber: Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000,
    retentionDays: Number(retention),
  }
}

/** True once the last row of the last day is past its retention. */
export const isExpired = (partition: Partition, nowMs: number, days = 1): boolean =>
  (partition.dayNumber + days + partition.retentionDays) * 86_400_000 <= nowMs
