import type { Migration } from '../migration.ts'

/** The public keys of members' devices. */
export const passkeys: Migration = {
  name: '0043-passkeys',
  statements: (schema, { number }) => [
    schema
      .createTable('passkey')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('credential_id', 'text', column => column.notNull().unique())
      .addColumn('public_key', 'text', column => column.notNull())
      .addColumn('counter', number, column => column.notNull())
      .addColumn('transports', 'text', column => column.notNull())
      .addColumn('created_at', number, column => column.notNull())
      .addColumn('last_used_at', number),
    schema.createIndex('passkey_user_idx').on('passkey').column('user_id'),
  ],
}
