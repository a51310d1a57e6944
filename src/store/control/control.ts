import type { Kysely } from 'kysely'
import type { ControlSchema } from './schema.ts'

export type ControlDialect = 'sqlite' | 'postgres'

/** An open control database. Queries use the subset of SQL that SQLite and PostgreSQL share. */
export type Control = {
  db: Kysely<ControlSchema>
  dialect: ControlDialect
  /** Copies SQLite's write-ahead log into the database file, as far as readers allow. `truncate` also empties the log. */
  checkpoint(mode?: 'passive' | 'truncate'): Promise<void>
  close(): Promise<void>
}
