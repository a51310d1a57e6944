import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** When no node accepted data. Until now, `blind_until` was the end of the last pause; from now on it is when a node began. */
export const ingestPauses: Migration = {
  name: '0076-ingest-pauses',
  statements: (schema, { number }) => [
    schema
      .createTable('ingest_pause')
      .addColumn('began_at', number, column => column.primaryKey().notNull())
      .addColumn('ended_at', number, column => column.notNull()),
    { compile: () => CompiledQuery.raw('UPDATE node_clock SET blind_until = 0') },
  ],
}
