import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** Reconciliation also restores recommended events, and hashes without a new event since 0068 have none. It compares every day once more. */
export const compareAgain: Migration = {
  name: '0086-compare-again',
  statements: () => [{ compile: () => CompiledQuery.raw('delete from reconciled_day') }],
}
