import { type ColumnDefinitionBuilder, sql } from 'kysely'
import type { ControlDialect } from './control.ts'

type Shape = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

/** Column types that differ between SQLite and PostgreSQL. Everything else in a migration is written once. */
export function columnTypes(dialect: ControlDialect) {
  const isSqlite = dialect === 'sqlite'
  return {
    /** Ids, counters, milliseconds: whole numbers below 2^53. */
    number: isSqlite ? ('integer' as const) : ('bigint' as const),
    bytes: isSqlite ? ('blob' as const) : ('bytea' as const),
    /** The types that better-auth writes: ISO text and 0/1 on SQLite, native types on PostgreSQL. */
    authDate: isSqlite ? ('date' as const) : ('timestamptz' as const),
    authFlag: isSqlite ? ('integer' as const) : ('boolean' as const),
    /** Without AUTOINCREMENT, SQLite reuses the id of a deleted last row, and old links would lead to another one. */
    identity: ((column: ColumnDefinitionBuilder) =>
      isSqlite ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()) as Shape,
    /** A field of JSON text as text, for statements that move it into a column; null where it has none. */
    jsonField: (column: string, field: string): string =>
      isSqlite ? `json_extract(${column}, '$.${field}')` : `(${column}::jsonb ->> '${field}')`,
    /** For a table whose columns are all in the key: SQLite would store each row twice, in the table and in the index. */
    allKey: isSqlite ? sql`without rowid` : sql``,
  }
}

export type ColumnTypes = ReturnType<typeof columnTypes>
