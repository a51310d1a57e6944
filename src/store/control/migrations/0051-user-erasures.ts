import type { Migration } from '../migration.ts'

/** Requests to delete all data of one user, and their receipts. */
export const userErasures: Migration = {
  name: '0051-user-erasures',
  statements: (schema, { number }) => [
    schema
      .createTable('user_erasure')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('identifiers', 'text', column => column.notNull())
      .addColumn('state', 'text', column => column.notNull())
      .addColumn('progress', 'text', column => column.notNull())
      .addColumn('requested_at', number, column => column.notNull())
      .addColumn('requested_by', 'text', column => column.notNull())
      .addColumn('covers_until', number)
      .addColumn('finished_at', number)
      .addColumn('last_error', 'text', column => column.notNull()),
    schema.createIndex('user_erasure_organization_idx').on('user_erasure').columns(['organization_id', 'requested_at']),
    schema.createIndex('user_erasure_state_idx').on('user_erasure').column('state'),
  ],
}
