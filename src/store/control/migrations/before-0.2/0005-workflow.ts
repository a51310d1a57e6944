import type { Migration } from '../../migration.ts'

/** What people do with issues, and what digest needs to know to reopen them. */
export const workflow: Migration = {
  name: '0005-workflow',
  statements: (schema, { number, bytes, identity, allKey }) => [
    // One column a statement: SQLite takes no more.
    schema.alterTable('issue').addColumn('status_detail', 'text', column => column.notNull().defaultTo('{}')),
    schema.alterTable('issue').addColumn('status_at', number, column => column.notNull().defaultTo(0)),
    schema.alterTable('issue').addColumn('substatus', 'text', column => column.notNull().defaultTo('new')),
    schema.alterTable('issue').addColumn('substatus_at', number, column => column.notNull().defaultTo(0)),
    schema.alterTable('issue').addColumn('assignee', 'text', column => column.notNull().defaultTo('')),
    schema.alterTable('issue').addColumn('priority', 'text', column => column.notNull().defaultTo('medium')),
    schema.alterTable('issue').addColumn('is_unhandled', number, column => column.notNull().defaultTo(0)),
    schema.createIndex('issue_substatus_idx').on('issue').columns(['substatus', 'substatus_at']),
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
    // The hash rows of a deleted issue, until it is too late to undo: then the events go too.
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
    // No references from here on: written for every batch.
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
      .addPrimaryKeyConstraint('hash_hour_pk', ['project_id', 'group_version', 'group_hash', 'hour'])
      .modifyEnd(allKey),
    schema.createIndex('hash_hour_hour_idx').on('hash_hour').column('hour'),
  ],
}
