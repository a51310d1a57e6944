import type { Kysely } from 'kysely'
import type { ControlSchema } from './schema.ts'

export type ControlDialect = 'sqlite' | 'postgres'

/** An open control database. Queries are written once, in the subset that both engines share. */
export type Control = {
  db: Kysely<ControlSchema>
  dialect: ControlDialect
  close(): Promise<void>
}
