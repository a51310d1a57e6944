import type { Migration } from '../../migration.ts'

/** Cron monitors, and the state of periodic work. */
export const monitors: Migration['statements'] = (schema, { number, identity }) => [
  schema
    .createTable('monitor')
    .addColumn('id', number, identity)
    .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('slug', 'text', column => column.notNull())
    .addColumn('config', 'text', column => column.notNull())
    .addColumn('created_at', number, column => column.notNull())
    .addUniqueConstraint('monitor_slug_unique', ['project_id', 'slug']),
  schema
    .createTable('monitor_environment')
    .addColumn('monitor_id', number, column => column.notNull().references('monitor.id').onDelete('cascade'))
    .addColumn('environment', 'text', column => column.notNull())
    .addColumn('last_status', 'text', column => column.notNull())
    .addColumn('last_check_in_at', number, column => column.notNull())
    .addColumn('last_check_in_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('monitor_environment_pk', ['monitor_id', 'environment']),
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
]
