import type { Migration } from '../../migration.ts'

/** What the secret of a token that `hydrant init` prints is derived from, besides the installation's secret. Empty for those made before. */
export const tokenNonces: Migration = {
  name: '0024-token-nonces',
  statements: schema => [
    schema.alterTable('auth_token').addColumn('nonce', 'text', column => column.notNull().defaultTo('')),
  ],
}
