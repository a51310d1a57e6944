import type { Migration } from '../migration.ts'

/** Names for the URLs of lists: of one member, or shared with the organization; and which of them a member opens first. */
export const savedViews: Migration = {
  name: '0056-saved-views',
  statements: (schema, { number, identity }) => [
    schema
      .createTable('saved_view')
      .addColumn('id', number, identity)
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('list', 'text', column => column.notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('query', 'text', column => column.notNull())
      .addColumn('is_shared', number, column => column.notNull())
      .addColumn('position', number, column => column.notNull())
      .addColumn('created_at', number, column => column.notNull()),
    schema.createIndex('saved_view_list_idx').on('saved_view').columns(['organization_id', 'list', 'position']),
    schema
      .createTable('default_view')
      .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('list', 'text', column => column.notNull())
      .addColumn('view_id', number, column => column.notNull().references('saved_view.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('default_view_pk', ['user_id', 'organization_id', 'list']),
  ],
}
