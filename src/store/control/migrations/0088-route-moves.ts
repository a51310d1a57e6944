import type { Migration } from '../migration.ts'

/** Stored rows whose route became known after they were written. */
export const routeMoves: Migration = {
  name: '0088-route-moves',
  statements: (schema, { number }) => [
    schema
      .createTable('route_move')
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('trace_id', 'text', column => column.notNull())
      .addColumn('id', 'text', column => column.notNull())
      .addColumn('at', number, column => column.notNull())
      .addColumn('route', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('route_move_key', ['project_id', 'trace_id', 'kind', 'id']),
  ],
}
