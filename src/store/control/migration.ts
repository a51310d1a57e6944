import type { Compilable, SchemaModule } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

/**
 * A migration of the control database. It only lists statements, so that their checksum can be recorded. A released migration is
 * never edited; backfilling columns is a job, not a migration.
 */
export type Migration = {
  name: string
  statements(schema: SchemaModule, types: ColumnTypes): Compilable[]
}
