import type { Migration } from '../../migration.ts'

/** What each project does with noise, since when, and the newest of what it caught. */
export const filters: Migration = {
  name: '0009-filters',
  statements: (schema, { number }) => [
    // Never updated: a record is judged by the choice that was in force when it was received, also when it is digested again.
    schema
      .createTable('project_filter')
      .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('rule', 'text', column => column.notNull())
      .addColumn('since', number, column => column.notNull())
      .addColumn('mode', 'text', column => column.notNull())
      .addColumn('keep_one_in', number, column => column.notNull())
      .addColumn('actor', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('project_filter_pk', ['project_id', 'rule', 'since']),
    schema
      .createTable('filtered_example')
      .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('rule', 'text', column => column.notNull())
      .addColumn('event_id', 'text', column => column.notNull())
      .addColumn('at', number, column => column.notNull())
      .addColumn('title', 'text', column => column.notNull())
      .addColumn('route', 'text', column => column.notNull())
      .addColumn('release', 'text', column => column.notNull())
      .addColumn('browser', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('filtered_example_pk', ['project_id', 'rule', 'event_id']),
    schema.createIndex('filtered_example_at_idx').on('filtered_example').columns(['project_id', 'rule', 'at']),
  ],
}
