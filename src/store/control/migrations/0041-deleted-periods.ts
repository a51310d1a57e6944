import type { Migration } from '../migration.ts'

/** The hours and days of deleted issues, so that an issue of the same group begins with nothing, and undo brings them back. */
export const deletedPeriods: Migration = {
  name: '0041-deleted-periods',
  statements: (schema, { number, bytes }) => [
    schema
      .createTable('deleted_period')
      .addColumn('change_id', 'text', column => column.notNull())
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('group_version', number, column => column.notNull())
      .addColumn('group_hash', 'text', column => column.notNull())
      .addColumn('unit', 'text', column => column.notNull())
      .addColumn('period', number, column => column.notNull())
      .addColumn('event_count', number, column => column.notNull())
      .addColumn('user_sketch', bytes)
      .addPrimaryKeyConstraint('deleted_period_pk', [
        'change_id',
        'project_id',
        'group_version',
        'group_hash',
        'unit',
        'period',
      ]),
  ],
}
