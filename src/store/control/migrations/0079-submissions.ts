import type { Migration } from '../migration.ts'

/** What forms have sent, for a day: a form that is sent again because its answer was lost gets the first answer. */
export const submissions: Migration = {
  name: '0079-submissions',
  statements: (schema, { number }) => [
    schema
      .createTable('submission')
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('state', 'text', column => column.notNull())
      .addColumn('result', 'text', column => column.notNull())
      .addColumn('created_at', number, column => column.notNull()),
    schema.createIndex('submission_by_age').on('submission').column('created_at'),
  ],
}
