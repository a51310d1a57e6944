import { sql } from 'kysely'
import type { Control } from './control.ts'

/** Any number that no other program, and no other lock of ours, uses in the same database. */
const advisoryLock = 4_721_630_119

/** Nodes that share a telemetry store share a PostgreSQL too: there one migrates, and the others wait. On SQLite there is one node. */
export async function withMigrationLock<Result>(control: Control, work: () => Promise<Result>): Promise<Result> {
  if (control.dialect === 'sqlite') return work()
  return control.db.transaction().execute(async trx => {
    await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(trx)
    return work()
  })
}
