import type { Migration } from '../migration.ts'

/** What a detector knows beyond its state: why it has no data and since when, whether its incident is about that, and its limits. */
export const noData: Migration = {
  name: '0075-no-data',
  statements: (schema, { number }) => [
    schema.alterTable('detector').addColumn('cause', 'text', column => column.notNull().defaultTo('')),
    schema.alterTable('detector').addColumn('gap', 'text', column => column.notNull().defaultTo('')),
    schema.alterTable('detector').addColumn('no_data_since', number),
    schema.alterTable('detector').addColumn('limits', 'text', column => column.notNull().defaultTo('')),
  ],
}
