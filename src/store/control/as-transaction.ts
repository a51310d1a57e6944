import type { Kysely, Transaction } from 'kysely'
import type { ControlSchema } from './schema.ts'

/** The transaction that a command runs in, for what must be committed with it. */
export function asTransaction(db: Kysely<ControlSchema>): Transaction<ControlSchema> {
  if (!db.isTransaction) throw new Error('This must run in a transaction.')
  return db as Transaction<ControlSchema>
}
