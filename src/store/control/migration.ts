import type { Compilable, SchemaModule } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

/**
 * One step forward of the control database. It only lists statements, so that what was applied can be recorded by the
 * checksum of its SQL. A step is never edited once it has been released; filling new columns is a job, not a migration.
 */
export type Migration = {
  name: string
  statements(schema: SchemaModule, types: ColumnTypes): Compilable[]
}
