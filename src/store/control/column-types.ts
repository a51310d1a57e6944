import { type ColumnDefinitionBuilder, sql } from 'kysely'
import type { ControlDialect } from './control.ts'

type Shape = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

/** Where the two engines name a column differently. Everything else in a migration is written once. */
export function columnTypes(dialect: ControlDialect) {
  const isSqlite = dialect === 'sqlite'
  return {
    /** Ids, counters, milliseconds: whole numbers below 2^53. */
    number: isSqlite ? ('integer' as const) : ('bigint' as const),
    bytes: isSqlite ? ('blob' as const) : ('bytea' as const),
    /** What better-auth writes: ISO text and 0/1 on SQLite, the engine's own types on PostgreSQL. */
    authDate: isSqlite ? ('date' as const) : ('timestamptz' as const),
    authFlag: isSqlite ? ('integer' as const) : ('boolean' as const),
    /** SQLite without AUTOINCREMENT hands out the id of a deleted last row again, and old links would lead elsewhere. */
    identity: ((column: ColumnDefinitionBuilder) =>
      isSqlite ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()) as Shape,
    /** For a table that is all key: SQLite would keep each row twice, in the table and in its index. */
    allKey: isSqlite ? sql`without rowid` : sql``,
  }
}

export type ColumnTypes = ReturnType<typeof columnTypes>
