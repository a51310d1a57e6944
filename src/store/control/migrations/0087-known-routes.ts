import type { Migration } from '../migration.ts'

/** The routes of each project, and which traces wait for one of them. */
export const knownRoutes: Migration = {
  name: '0087-known-routes',
  statements: (schema, { number }) => [
    schema
      .createTable('known_route')
      .addColumn('inbox_id', 'text', column => column.notNull())
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('route', 'text', column => column.notNull())
      .addColumn('seen_at', number, column => column.notNull())
      .addPrimaryKeyConstraint('known_route_key', ['inbox_id', 'project_id', 'route']),
    schema.alterTable('trace_memory').addColumn('waiting_project_id', number),
    schema.createIndex('trace_memory_waiting_idx').on('trace_memory').column('waiting_project_id'),
  ],
}
