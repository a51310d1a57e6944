import type { Kysely } from 'kysely'
import type { ControlSchema } from './schema.ts'

export type ControlDialect = 'sqlite' | 'postgres'

/** An open control database. Queries are written once, in the subset that both engines share. */
export type Control = {
  db: Kysely<ControlSchema>
  dialect: ControlDialect
  /** Moves what SQLite has in its write-ahead log into the database file, as far as readers allow. `truncate` also empties the log. */
  checkpoint(mode?: 'passive' | 'truncate'): Promise<void>
  close(): Promise<void>
}
