import type { Migration } from '../migration.ts'

/** Who acknowledged, closed or commented on an incident. */
export const incidentHandling: Migration = {
  name: '0074-incident-handling',
  statements: (schema, { number }) => [
    schema.alterTable('incident').addColumn('acknowledged_at', number),
    schema.alterTable('incident').addColumn('acknowledged_by', 'text', column => column.notNull().defaultTo('')),
    schema.alterTable('incident').addColumn('closed_by', 'text', column => column.notNull().defaultTo('')),
    schema.alterTable('incident_update').addColumn('actor', 'text', column => column.notNull().defaultTo('')),
  ],
}
