import type { Migration } from '../migration.ts'

/** Of each hash, the event that its issue opens with (domain/events/recommended-event.ts). It fills as events arrive. */
export const recommendedEvents: Migration = {
  name: '0068-recommended-events',
  statements: (schema, { number }) => [
    schema
      .createTable('recommended_event')
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('group_version', number, column => column.notNull())
      .addColumn('group_hash', 'text', column => column.notNull())
      .addColumn('rank', number, column => column.notNull())
      .addColumn('at', number, column => column.notNull())
      .addColumn('received_at', number, column => column.notNull())
      .addColumn('event_id', 'text', column => column.notNull())
      .addColumn('trace_id', 'text', column => column.notNull())
      .addColumn('span_id', 'text', column => column.notNull())
      .addColumn('environment', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('recommended_event_pk', ['project_id', 'group_version', 'group_hash']),
  ],
}
