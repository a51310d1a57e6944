import type { Migration } from '../../migration.ts'

/** Events and users of each hash by hour and by day: a list that asks nothing of single events is answered here alone. */
export const hashDays: Migration = {
  name: '0017-hash-days',
  statements: (schema, { number, bytes, allKey }) => [
    schema.alterTable('hash_hour').addColumn('user_sketch', bytes),
    schema
      .createTable('hash_day')
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('group_version', number, column => column.notNull())
      .addColumn('group_hash', 'text', column => column.notNull())
      .addColumn('day', number, column => column.notNull())
      .addColumn('event_count', number, column => column.notNull())
      .addColumn('user_sketch', bytes)
      .addPrimaryKeyConstraint('hash_day_pk', ['project_id', 'group_version', 'group_hash', 'day'])
      .modifyEnd(allKey),
    schema.createIndex('hash_day_day_idx').on('hash_day').column('day'),
  ],
}
