import type { Migration } from '../../migration.ts'

/** What digest writes in the transaction that ends a batch. */
export const issues: Migration = {
  name: '0003-issues',
  statements: (schema, { number, bytes, identity, allKey }) => [
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
      .addUniqueConstraint('issue_number_unique', ['project_id', 'number']),
    schema.createIndex('issue_status_idx').on('issue').columns(['project_id', 'status']),
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
      .addPrimaryKeyConstraint('issue_hash_pk', ['project_id', 'group_version', 'group_hash']),
    schema.createIndex('issue_hash_issue_idx').on('issue_hash').column('issue_id'),
    schema.createIndex('issue_hash_last_seen_idx').on('issue_hash').columns(['project_id', 'last_seen']),
    schema
      .createTable('monitor')
      .addColumn('id', number, identity)
      .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('slug', 'text', column => column.notNull())
      .addColumn('config', 'text', column => column.notNull())
      .addColumn('last_status', 'text', column => column.notNull())
      .addColumn('last_check_in_at', number, column => column.notNull())
      .addColumn('created_at', number, column => column.notNull())
      .addUniqueConstraint('monitor_slug_unique', ['project_id', 'slug']),
    // No references from here on: these rows are many, short-lived, and written for every batch.
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
      .createTable('project_pulse')
      .addColumn('project_id', number, column => column.primaryKey().notNull())
      .addColumn('item_count', number, column => column.notNull())
      .addColumn('event_count', number, column => column.notNull())
      .addColumn('last_event_id', 'text', column => column.notNull())
      .addColumn('last_issue_id', number, column => column.notNull())
      .addColumn('updated_at', number, column => column.notNull()),
  ],
}
