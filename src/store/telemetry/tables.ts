/**
 * The telemetry tables, each defined once, in `tables/`. The DDL (`create-table.ts`), row types (`rows.ts`), the Native encoder and the
 * validation of stored rows derive from this. A changed definition needs a migration for existing installations: CONTRIBUTING.md.
 */
import type { Column, StateTable, WrittenTable } from './tables/define-table.ts'
import { event_index, events, issue_state } from './tables/events.ts'
import { logs, metrics } from './tables/logs.ts'
import { attachments, feedback, replay_moments, replays } from './tables/replays.ts'
import { check_ins, outcomes, sessions } from './tables/sessions.ts'
import { profile_sums, profiles, route_sums, spans } from './tables/traces.ts'

/** In the order in which digest writes them. */
export const tables = {
  events,
  event_index,
  spans,
  logs,
  metrics,
  sessions,
  check_ins,
  feedback,
  replays,
  replay_moments,
  profiles,
  attachments,
  outcomes,
  route_sums,
  profile_sums,
} as const

export type TableName = keyof typeof tables
export const tableNames = Object.keys(tables) as TableName[]

/** Every table, also those that digest does not write. */
export const allTables: Readonly<Record<string, WrittenTable | StateTable>> = { ...tables, issue_state }

/** For code that handles all tables. */
export const shapeOf = (table: TableName): WrittenTable => tables[table]

const rowColumnsOf = Object.fromEntries(
  tableNames.map(table => [table, Object.entries(shapeOf(table).columns).filter(([name]) => name !== 'batch_id')]),
) as Readonly<Record<TableName, [name: string, Column][]>>

/** The columns of a row; the writer adds `batch_id`. */
export const rowColumns = (table: TableName): readonly [name: string, Column][] => rowColumnsOf[table]
