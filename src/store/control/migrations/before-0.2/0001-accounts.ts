import type { Migration } from '../../migration.ts'

/** The four tables of better-auth 1.7 (its columns, its order), then who belongs to which organisation. */
export const accounts: Migration = {
  name: '0001-accounts',
  statements: (schema, { number, authDate, authFlag, identity }) => [
    schema
      .createTable('user')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('email', 'text', column => column.notNull().unique())
      .addColumn('emailVerified', authFlag, column => column.notNull())
      .addColumn('image', 'text')
      .addColumn('createdAt', authDate, column => column.notNull())
      .addColumn('updatedAt', authDate, column => column.notNull()),
    schema
      .createTable('session')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('expiresAt', authDate, column => column.notNull())
      .addColumn('token', 'text', column => column.notNull().unique())
      .addColumn('createdAt', authDate, column => column.notNull())
      .addColumn('updatedAt', authDate, column => column.notNull())
      .addColumn('ipAddress', 'text')
      .addColumn('userAgent', 'text')
      .addColumn('userId', 'text', column => column.notNull().references('user.id').onDelete('cascade')),
    schema.createIndex('session_userId_idx').on('session').column('userId'),
    schema
      .createTable('account')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('accountId', 'text', column => column.notNull())
      .addColumn('providerId', 'text', column => column.notNull())
      .addColumn('userId', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('accessToken', 'text')
      .addColumn('refreshToken', 'text')
      .addColumn('idToken', 'text')
      .addColumn('accessTokenExpiresAt', authDate)
      .addColumn('refreshTokenExpiresAt', authDate)
      .addColumn('scope', 'text')
      .addColumn('password', 'text')
      .addColumn('createdAt', authDate, column => column.notNull())
      .addColumn('updatedAt', authDate, column => column.notNull()),
    schema.createIndex('account_userId_idx').on('account').column('userId'),
    schema
      .createTable('verification')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('identifier', 'text', column => column.notNull())
      .addColumn('value', 'text', column => column.notNull())
      .addColumn('expiresAt', authDate, column => column.notNull())
      .addColumn('createdAt', authDate, column => column.notNull())
      .addColumn('updatedAt', authDate, column => column.notNull()),
    schema.createIndex('verification_identifier_idx').on('verification').column('identifier'),
    schema
      .createTable('organization')
      .addColumn('id', number, identity)
      .addColumn('slug', 'text', column => column.notNull().unique())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('created_at', number, column => column.notNull()),
    schema
      .createTable('member')
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('role', 'text', column => column.notNull())
      .addColumn('created_at', number, column => column.notNull())
      .addPrimaryKeyConstraint('member_pk', ['organization_id', 'user_id']),
    schema.createIndex('member_user_idx').on('member').column('user_id'),
  ],
}
