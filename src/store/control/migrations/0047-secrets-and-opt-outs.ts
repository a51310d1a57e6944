import type { Migration } from '../migration.ts'

/** The keys of encrypted secrets, themselves encrypted, and who has unsubscribed from the mail of a channel. */
export const secretsAndOptOuts: Migration = {
  name: '0047-secrets-and-opt-outs',
  statements: (schema, { number }) => [
    schema
      .createTable('secret_key')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('wrapped', 'text', column => column.notNull())
      .addColumn('created_at', number, column => column.notNull()),
    schema
      .createTable('mail_opt_out')
      .addColumn('channel_id', number, column => column.notNull().references('channel.id').onDelete('cascade'))
      .addColumn('email', 'text', column => column.notNull())
      .addColumn('at', number, column => column.notNull())
      .addPrimaryKeyConstraint('mail_opt_out_pk', ['channel_id', 'email']),
  ],
}
