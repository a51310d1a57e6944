import type { Migration } from '../migration.ts'

/** When a session has shown a second factor, and which browsers are trusted. */
export const shownFactors: Migration = {
  name: '0069-shown-factors',
  statements: (schema, { number }) => [
    schema.alterTable('session').addColumn('factorAt', number),
    schema.alterTable('verification').addColumn('userAgent', 'text'),
    schema.alterTable('verification').addColumn('ipAddress', 'text'),
  ],
}
