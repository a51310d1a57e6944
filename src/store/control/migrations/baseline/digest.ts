import type { Migration } from '../../migration.ts'

/**
 * What digest writes for every batch. No references: these rows are many, and most of them short-lived. Names of keys
 * and indexes are those that older databases have, also where their table has another name now.
 */
export const digest: Migration['statements'] = (schema, { number, bytes, allKey }) => [
  schema
    .createTable('seen_event')
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('event_id', 'text', column => column.notNull())
    .addColumn('seen_at', number, column => column.notNull())
    .addPrimaryKeyConstraint('seen_event_pk', ['project_id', 'event_id'])
    .modifyEnd(allKey),
  schema.createIndex('seen_event_at_idx').on('seen_event').column('seen_at'),
  schema
    .createTable('inbox_cursor')
    .addColumn('inbox_id', 'text', column => column.primaryKey().notNull())
    .addColumn('batch', number, column => column.notNull())
    .addColumn('segment', number, column => column.notNull())
    .addColumn('position', number, column => column.notNull())
    .addColumn('updated_at', number, column => column.notNull()),
  schema
    .createTable('project_stats')
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('item_count', number, column => column.notNull())
    .addColumn('event_count', number, column => column.notNull())
    .addColumn('last_event_id', 'text', column => column.notNull())
    .addColumn('last_issue_id', number, column => column.notNull())
    .addColumn('updated_at', number, column => column.notNull())
    .addPrimaryKeyConstraint('project_pulse_pkey', ['project_id']),
  schema
    .createTable('project_release')
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('version', 'text', column => column.notNull())
    .addColumn('first_seen', number, column => column.notNull())
    .addPrimaryKeyConstraint('project_release_pk', ['project_id', 'version']),
  schema.createIndex('project_release_seen_idx').on('project_release').columns(['project_id', 'first_seen']),
  schema
    .createTable('hash_hour')
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('group_version', number, column => column.notNull())
    .addColumn('group_hash', 'text', column => column.notNull())
    .addColumn('hour', number, column => column.notNull())
    .addColumn('event_count', number, column => column.notNull())
    .addColumn('user_sketch', bytes)
    .addPrimaryKeyConstraint('hash_hour_pk', ['project_id', 'group_version', 'group_hash', 'hour'])
    .modifyEnd(allKey),
  schema.createIndex('hash_hour_hour_idx').on('hash_hour').column('hour'),
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
  schema
    .createTable('held_event')
    .addColumn('inbox_id', 'text', column => column.notNull())
    .addColumn('event_id', 'text', column => column.notNull())
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('held_until', number, column => column.notNull())
    .addColumn('event', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('held_event_pk', ['inbox_id', 'project_id', 'event_id']),
  schema.createIndex('held_event_until_idx').on('held_event').columns(['inbox_id', 'held_until']),
  schema
    .createTable('batch_plan')
    .addColumn('inbox_id', 'text', column => column.notNull())
    .addColumn('batch', number, column => column.notNull())
    .addColumn('plan', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('batch_plan_pk', ['inbox_id', 'batch']),
  // The group that a server's digest of an error led to: the next browser that reports it needs no common trace.
  schema
    .createTable('error_digest')
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('digest', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('seen_at', number, column => column.notNull())
    .addPrimaryKeyConstraint('error_digest_pk', ['project_id', 'digest']),
  schema.createIndex('error_digest_seen_idx').on('error_digest').column('seen_at'),
  schema
    .createTable('trace_memory')
    .addColumn('inbox_id', 'text', column => column.notNull())
    .addColumn('trace', 'text', column => column.notNull())
    .addColumn('memory', 'text', column => column.notNull())
    .addColumn('seen_at', number, column => column.notNull())
    .addPrimaryKeyConstraint('trace_memory_pk', ['inbox_id', 'trace']),
  schema.createIndex('trace_memory_seen_idx').on('trace_memory').columns(['inbox_id', 'seen_at']),
  schema
    .createTable('linked_group')
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('group_version', number, column => column.notNull())
    .addColumn('group_hash', 'text', column => column.notNull())
    .addColumn('server_project_id', number, column => column.notNull())
    .addColumn('server_hash', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('hash_echo_pk', ['project_id', 'group_version', 'group_hash']),
  schema.createIndex('hash_echo_server_idx').on('linked_group').columns(['server_project_id', 'server_hash']),
  schema
    .createTable('deferred_user')
    .addColumn('inbox_id', 'text', column => column.notNull())
    .addColumn('event_id', 'text', column => column.notNull())
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('group_version', number, column => column.notNull())
    .addColumn('group_hash', 'text', column => column.notNull())
    .addColumn('seen_at', number, column => column.notNull())
    .addColumn('user_hash', 'text', column => column.notNull())
    .addColumn('due_at', number, column => column.notNull())
    .addPrimaryKeyConstraint('deferred_user_pk', ['project_id', 'event_id']),
  schema.createIndex('deferred_user_due_idx').on('deferred_user').columns(['inbox_id', 'due_at']),
]
