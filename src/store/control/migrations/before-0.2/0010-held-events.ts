import type { Migration } from '../../migration.ts'

/** Browser errors that wait for the server's event, and what was decided for a batch before its rows were written. */
export const heldEvents: Migration = {
  name: '0010-held-events',
  statements: (schema, { number }) => [
    // No references: written for batches, like the cursor.
    schema
      .createTable('held_event')
      .addColumn('inbox_id', 'text', column => column.notNull())
      .addColumn('event_id', 'text', column => column.notNull())
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('held_until', number, column => column.notNull())
      .addColumn('event', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('held_event_pk', ['inbox_id', 'project_id', 'event_id']),
    schema.createIndex('held_event_until_idx').on('held_event').columns(['inbox_id', 'held_until']),
    schema
      .createTable('batch_plan')
      .addColumn('inbox_id', 'text', column => column.notNull())
      .addColumn('batch', number, column => column.notNull())
      .addColumn('plan', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('batch_plan_pk', ['inbox_id', 'batch']),
    // What the server's short name of an error led to: the next browser that says it needs no common trace.
    schema
      .createTable('error_digest')
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('digest', 'text', column => column.notNull())
      .addColumn('target', 'text', column => column.notNull())
      .addColumn('seen_at', number, column => column.notNull())
      .addPrimaryKeyConstraint('error_digest_pk', ['project_id', 'digest']),
    schema.createIndex('error_digest_seen_idx').on('error_digest').column('seen_at'),
  ],
}
