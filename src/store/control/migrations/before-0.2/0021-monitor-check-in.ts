import type { Migration } from '../../migration.ts'

/** Which check-in a monitor's status comes from: the word that a job began may arrive after the word that it ended. */
export const monitorCheckIn: Migration = {
  name: '0021-monitor-check-in',
  statements: schema => [
    schema.alterTable('monitor').addColumn('last_check_in_id', 'text', column => column.notNull().defaultTo('')),
  ],
}
