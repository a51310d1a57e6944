import type { Migration } from '../../migration.ts'

/** Which days' counters were compared with telemetry, which node does such work, and what periodic work remembers. */
export const reconciliation: Migration = {
  name: '0026-reconciliation',
  statements: (schema, { number }) => [
    schema
      .createTable('reconciled_day')
      .addColumn('day', number, column => column.primaryKey().notNull())
      .addColumn('checked_at', number, column => column.notNull())
      .addColumn('differences', number, column => column.notNull())
      .addColumn('detail', 'text', column => column.notNull()),
    schema
      .createTable('job_lease')
      .addColumn('name', 'text', column => column.primaryKey().notNull())
      .addColumn('holder', 'text', column => column.notNull())
      .addColumn('held_until', number, column => column.notNull()),
    schema
      .createTable('maintenance_state')
      .addColumn('name', 'text', column => column.primaryKey().notNull())
      .addColumn('value', number, column => column.notNull()),
  ],
}
