import type { Migration } from '../migration.ts'

/** When no node accepted data. */
export const ingestPauses: Migration = {
  name: '0076-ingest-pauses',
  statements: (schema, { number }) => [
    schema
      .createTable('ingest_pause')
      .addColumn('began_at', number, column => column.primaryKey().notNull())
      .addColumn('ended_at', number, column => column.notNull()),
  ],
}
