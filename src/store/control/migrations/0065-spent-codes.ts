import type { Migration } from '../migration.ts'

/** Codes of authenticator apps that have signed somebody in: each works once. */
export const spentCodes: Migration = {
  name: '0065-spent-codes',
  statements: (schema, { number }) => [
    schema
      .createTable('spent_code')
      .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('code_hash', 'text', column => column.notNull())
      .addColumn('spent_at', number, column => column.notNull())
      .addPrimaryKeyConstraint('spent_code_pk', ['user_id', 'code_hash']),
  ],
}
