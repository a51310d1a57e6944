import type { Migration } from '../../migration.ts'

/** What was counted of a trace, for the batches that bring the rest of it. */
export const traceMemories: Migration = {
  name: '0022-trace-memories',
  statements: (schema, { number }) => [
    // No references: written for batches, like the cursor.
    schema
      .createTable('trace_memory')
      .addColumn('inbox_id', 'text', column => column.notNull())
      .addColumn('trace', 'text', column => column.notNull())
      .addColumn('memory', 'text', column => column.notNull())
      .addColumn('seen_at', number, column => column.notNull())
      .addPrimaryKeyConstraint('trace_memory_pk', ['inbox_id', 'trace']),
    schema.createIndex('trace_memory_seen_idx').on('trace_memory').columns(['inbox_id', 'seen_at']),
  ],
}
