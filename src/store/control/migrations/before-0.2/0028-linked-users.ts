import { CompiledQuery } from 'kysely'
import type { Migration } from '../../migration.ts'

/** Users that wait to be counted, the files of commits, and the state of monitors by environment. */
export const linkedUsers: Migration = {
  name: '0028-linked-users',
  statements: (schema, { number }) => [
    // No references: written for batches, like the cursor.
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
    schema
      .createTable('release_commit_file')
      .addColumn('release_id', number, column => column.notNull().references('release.id').onDelete('cascade'))
      .addColumn('position', number, column => column.notNull())
      .addColumn('path', 'text', column => column.notNull())
      .addColumn('type', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('release_commit_file_pk', ['release_id', 'position', 'path']),
    schema
      .createTable('monitor_environment')
      .addColumn('monitor_id', number, column => column.notNull().references('monitor.id').onDelete('cascade'))
      .addColumn('environment', 'text', column => column.notNull())
      .addColumn('last_status', 'text', column => column.notNull())
      .addColumn('last_check_in_at', number, column => column.notNull())
      .addColumn('last_check_in_id', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('monitor_environment_pk', ['monitor_id', 'environment']),
    // Which environment the last check-in came from was not kept. SDKs call it production unless they are told otherwise.
    statement(
      `insert into monitor_environment (monitor_id, environment, last_status, last_check_in_at, last_check_in_id)
       select id, 'production', last_status, last_check_in_at, last_check_in_id from monitor`,
    ),
    schema.alterTable('monitor').dropColumn('last_status'),
    schema.alterTable('monitor').dropColumn('last_check_in_at'),
    schema.alterTable('monitor').dropColumn('last_check_in_id'),
  ],
}

const statement = (text: string) => ({ compile: () => CompiledQuery.raw(text) })
