import type { Migration } from '../../migration.ts'

/** Issues and their group hashes, and what members do with them. */
export const issues: Migration['statements'] = (schema, { number, bytes, identity }) => [
  schema
    .createTable('issue')
    .addColumn('id', number, identity)
    .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('number', number, column => column.notNull())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('culprit', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('level', 'text', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('created_at', number, column => column.notNull())
    .addColumn('status_detail', 'text', column => column.notNull().defaultTo('{}'))
    .addColumn('status_at', number, column => column.notNull().defaultTo(0))
    .addColumn('substatus', 'text', column => column.notNull().defaultTo('new'))
    .addColumn('substatus_at', number, column => column.notNull().defaultTo(0))
    .addColumn('assignee', 'text', column => column.notNull().defaultTo(''))
    .addColumn('priority', 'text', column => column.notNull().defaultTo('medium'))
    .addColumn('is_unhandled', number, column => column.notNull().defaultTo(0))
    .addColumn('side', 'text', column => column.notNull().defaultTo(''))
    .addColumn('times_usual', number, column => column.notNull().defaultTo(0))
    .addUniqueConstraint('issue_number_unique', ['project_id', 'number']),
  schema.createIndex('issue_status_idx').on('issue').columns(['project_id', 'status']),
  schema.createIndex('issue_substatus_idx').on('issue').columns(['substatus', 'substatus_at']),
  schema
    .createTable('issue_hash')
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('group_version', number, column => column.notNull())
    .addColumn('group_hash', 'text', column => column.notNull())
    .addColumn('issue_id', number, column => column.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('event_count', number, column => column.notNull())
    .addColumn('first_seen', number, column => column.notNull())
    .addColumn('last_seen', number, column => column.notNull())
    .addColumn('first_release', 'text', column => column.notNull())
    .addColumn('last_release', 'text', column => column.notNull())
    .addColumn('last_event_id', 'text', column => column.notNull())
    .addColumn('user_sketch', bytes, column => column.notNull())
    .addColumn('user_count', number, column => column.notNull())
    // Where a hash came from when its issue was merged into another; otherwise null.
    .addColumn('home_issue_id', number, column => column.references('issue.id').onDelete('set null'))
    .addPrimaryKeyConstraint('issue_hash_pk', ['project_id', 'group_version', 'group_hash']),
  schema.createIndex('issue_hash_issue_idx').on('issue_hash').column('issue_id'),
  schema.createIndex('issue_hash_last_seen_idx').on('issue_hash').columns(['project_id', 'last_seen']),
  schema.createIndex('issue_hash_home_idx').on('issue_hash').column('home_issue_id'),
  // The sums of a list are read from this index alone: the table's rows carry a sketch of users that a list does not need.
  schema
    .createIndex('issue_hash_totals_idx')
    .on('issue_hash')
    .columns(['project_id', 'issue_id', 'event_count', 'user_count', 'first_seen', 'last_seen']),
  schema
    .createTable('issue_activity')
    .addColumn('id', number, identity)
    .addColumn('issue_id', number, column => column.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('at', number, column => column.notNull())
    .addColumn('actor', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('detail', 'text', column => column.notNull())
    .addColumn('change_id', 'text', column => column.notNull().defaultTo(''))
    .addColumn('undo', 'text', column => column.notNull().defaultTo('')),
  schema.createIndex('issue_activity_issue_idx').on('issue_activity').columns(['issue_id', 'at']),
  schema.createIndex('issue_activity_change_idx').on('issue_activity').column('change_id'),
  schema
    .createTable('issue_seen')
    .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('issue_id', number, column => column.notNull().references('issue.id').onDelete('cascade'))
    .addColumn('seen_at', number, column => column.notNull())
    .addPrimaryKeyConstraint('issue_seen_pk', ['user_id', 'issue_id']),
  schema.createIndex('issue_seen_issue_idx').on('issue_seen').column('issue_id'),
  schema
    .createTable('discarded_hash')
    .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('group_version', number, column => column.notNull())
    .addColumn('group_hash', 'text', column => column.notNull())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('at', number, column => column.notNull())
    .addColumn('actor', 'text', column => column.notNull())
    .addColumn('change_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('discarded_hash_pk', ['project_id', 'group_version', 'group_hash']),
  // The hash rows of a deleted issue while the deletion can be undone. Afterwards the events are deleted too.
  schema
    .createTable('deleted_hash')
    .addColumn('change_id', 'text', column => column.notNull())
    .addColumn('deleted_at', number, column => column.notNull())
    .addColumn('project_id', number, column => column.notNull())
    .addColumn('group_version', number, column => column.notNull())
    .addColumn('group_hash', 'text', column => column.notNull())
    .addColumn('issue_id', number, column => column.notNull())
    .addColumn('event_count', number, column => column.notNull())
    .addColumn('first_seen', number, column => column.notNull())
    .addColumn('last_seen', number, column => column.notNull())
    .addColumn('first_release', 'text', column => column.notNull())
    .addColumn('last_release', 'text', column => column.notNull())
    .addColumn('last_event_id', 'text', column => column.notNull())
    .addColumn('user_sketch', bytes, column => column.notNull())
    .addColumn('user_count', number, column => column.notNull())
    .addColumn('home_issue_id', number)
    .addPrimaryKeyConstraint('deleted_hash_pk', ['change_id', 'project_id', 'group_version', 'group_hash']),
  schema.createIndex('deleted_hash_at_idx').on('deleted_hash').column('deleted_at'),
  schema
    .createTable('unmapped_hash')
    .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('group_version', number, column => column.notNull())
    .addColumn('group_hash', 'text', column => column.notNull())
    .addColumn('debug_id', 'text', column => column.notNull())
    .addColumn('release', 'text', column => column.notNull())
    .addColumn('dist', 'text', column => column.notNull())
    .addColumn('event_id', 'text', column => column.notNull())
    .addColumn('seen_at', number, column => column.notNull())
    .addColumn('tried_bundle_id', number, column => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('unmapped_hash_pk', [
      'project_id',
      'group_version',
      'group_hash',
      'debug_id',
      'release',
      'dist',
    ]),
  schema.createIndex('unmapped_hash_debug_idx').on('unmapped_hash').column('debug_id'),
  schema.createIndex('unmapped_hash_release_idx').on('unmapped_hash').columns(['release', 'dist']),
  schema.createIndex('unmapped_hash_seen_idx').on('unmapped_hash').column('seen_at'),
]
