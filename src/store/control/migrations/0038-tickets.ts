import type { Migration } from '../migration.ts'

/** Links from issues to tickets of other trackers, and deleted comments while the deletion can be undone. */
export const tickets: Migration = {
  name: '0038-tickets',
  statements: (schema, { number, identity }) => [
    schema
      .createTable('issue_ticket')
      .addColumn('id', number, identity)
      .addColumn('issue_id', number, column => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('url', 'text', column => column.notNull())
      .addColumn('title', 'text', column => column.notNull())
      .addColumn('actor', 'text', column => column.notNull())
      .addColumn('at', number, column => column.notNull())
      .addUniqueConstraint('issue_ticket_url_unique', ['issue_id', 'url']),
    // A row of `issue_activity`, so that nothing which reads activity has to leave deleted comments out.
    schema
      .createTable('deleted_comment')
      .addColumn('change_id', 'text', column => column.primaryKey().notNull())
      .addColumn('deleted_at', number, column => column.notNull())
      .addColumn('id', number, column => column.notNull())
      .addColumn('issue_id', number, column => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('at', number, column => column.notNull())
      .addColumn('actor', 'text', column => column.notNull())
      .addColumn('detail', 'text', column => column.notNull()),
    schema.createIndex('deleted_comment_issue_idx').on('deleted_comment').column('issue_id'),
    schema.createIndex('deleted_comment_at_idx').on('deleted_comment').column('deleted_at'),
  ],
}
