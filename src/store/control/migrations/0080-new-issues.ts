import type { Migration } from '../migration.ts'

/** How many issues a project got in which minute: above a limit, further ones are counted in one issue. */
export const newIssues: Migration = {
  name: '0080-new-issues',
  statements: (schema, { number }) => [
    schema
      .createTable('new_issue_minute')
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('minute', number, column => column.notNull())
      .addColumn('is_fatal', number, column => column.notNull())
      .addColumn('quantity', number, column => column.notNull())
      .addPrimaryKeyConstraint('new_issue_minute_key', ['project_id', 'minute', 'is_fatal']),
  ],
}
