import type { Migration } from '../migration.ts'

/**
 * What the page of an issue knows before it asks telemetry: of each hash, the event that its issue opens with, which fills as events
 * arrive, and which kinds of rows a project has ever sent, which is all of them for projects that exist.
 */
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
    schema.alterTable('project_stats').addColumn('sent_kinds', number, column => column.notNull().defaultTo(7)),
  ],
}
