import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Second factors, sessions with an idle limit, one-time tokens and guesses that all nodes count together. */
export const signIn: Migration = {
  name: '0042-sign-in',
  statements: (schema, { number, authDate, authFlag }) => [
    schema.alterTable('user').addColumn('twoFactorEnabled', authFlag),
    schema.alterTable('session').addColumn('method', 'text'),
    schema.alterTable('session').addColumn('secondFactor', authFlag),
    schema.alterTable('session').addColumn('seenAt', number),
    schema
      .createTable('twoFactor')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('secret', 'text', column => column.notNull())
      .addColumn('backupCodes', 'text', column => column.notNull())
      .addColumn('userId', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('verified', authFlag)
      .addColumn('failedVerificationCount', number)
      .addColumn('lockedUntil', authDate),
    schema.createIndex('twoFactor_secret_idx').on('twoFactor').column('secret'),
    schema.createIndex('twoFactor_userId_idx').on('twoFactor').column('userId'),
    schema
      .createTable('one_time_token')
      .addColumn('token_hash', 'text', column => column.primaryKey().notNull())
      .addColumn('purpose', 'text', column => column.notNull())
      .addColumn('user_id', 'text', column => column.references('user.id').onDelete('cascade'))
      .addColumn('created_at', number, column => column.notNull())
      .addColumn('expires_at', number, column => column.notNull()),
    schema.createIndex('one_time_token_user_idx').on('one_time_token').column('user_id'),
    schema.createIndex('one_time_token_expires_idx').on('one_time_token').column('expires_at'),
    schema
      .createTable('guess')
      .addColumn('rule', 'text', column => column.notNull())
      .addColumn('key_hash', 'text', column => column.notNull())
      .addColumn('count', number, column => column.notNull())
      .addColumn('until', number, column => column.notNull())
      .addPrimaryKeyConstraint('guess_pk', ['rule', 'key_hash']),
    schema.createIndex('guess_until_idx').on('guess').column('until'),
    schema.alterTable('organization').addColumn('two_factor_from', number),
    schema.alterTable('member').addColumn('granted_by', 'text', column => column.notNull().defaultTo(sql`''`)),
  ],
}
