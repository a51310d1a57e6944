import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** The job queue, alert rules, what they have sent and collect, and notifications. */
export const alerts: Migration = {
  name: '0048-alerts',
  statements: (schema, { number, identity }) => [
    schema
      .createTable('job')
      .addColumn('id', number, identity)
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('key', 'text', column => column.notNull().unique())
      .addColumn('payload', 'text', column => column.notNull())
      .addColumn('run_at', number, column => column.notNull())
      .addColumn('every_ms', number)
      .addColumn('attempts', number, column => column.notNull().defaultTo(0))
      .addColumn('state', 'text', column => column.notNull().defaultTo('queued'))
      .addColumn('leased_by', 'text', column => column.notNull().defaultTo(''))
      .addColumn('leased_until', number, column => column.notNull().defaultTo(0))
      .addColumn('last_error', 'text', column => column.notNull().defaultTo(''))
      .addColumn('created_at', number, column => column.notNull()),
    schema.createIndex('job_run_at_idx').on('job').columns(['state', 'run_at']),
    schema
      .createTable('alert_rule')
      .addColumn('id', number, identity)
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('project_id', number, column => column.references('project.id').onDelete('cascade'))
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('config', 'text', column => column.notNull())
      .addColumn('is_on', 'integer', column => column.notNull())
      .addColumn('snoozed_until', number)
      .addColumn('owner_user_id', 'text', column => column.references('user.id').onDelete('set null'))
      .addColumn('created_by', 'text', column => column.notNull())
      .addColumn('created_at', number, column => column.notNull())
      .addColumn('updated_at', number, column => column.notNull())
      .addUniqueConstraint('alert_rule_name_unique', ['organization_id', 'name']),
    schema
      .createTable('alert_rule_channel')
      .addColumn('rule_id', number, column => column.notNull().references('alert_rule.id').onDelete('cascade'))
      .addColumn('channel_id', number, column => column.notNull().references('channel.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('alert_rule_channel_pk', ['rule_id', 'channel_id']),
    schema.createIndex('alert_rule_channel_idx').on('alert_rule_channel').column('channel_id'),
    schema
      .createTable('alert_sent')
      .addColumn('rule_id', number, column => column.notNull().references('alert_rule.id').onDelete('cascade'))
      .addColumn('subject_key', 'text', column => column.notNull())
      .addColumn('type', 'text', column => column.notNull())
      .addColumn('sent_at', number, column => column.notNull())
      .addPrimaryKeyConstraint('alert_sent_pk', ['rule_id', 'subject_key', 'type']),
    schema.createIndex('alert_sent_at_idx').on('alert_sent').column('sent_at'),
    schema
      .createTable('alert_rule_day')
      .addColumn('rule_id', number, column => column.notNull().references('alert_rule.id').onDelete('cascade'))
      .addColumn('day', number, column => column.notNull())
      .addColumn('messages', number, column => column.notNull())
      .addColumn('last_at', number, column => column.notNull())
      .addPrimaryKeyConstraint('alert_rule_day_pk', ['rule_id', 'day']),
    schema
      .createTable('alert_burst')
      .addColumn('target', 'text', column => column.primaryKey().notNull())
      .addColumn('until', number, column => column.notNull()),
    schema
      .createTable('alert_held')
      .addColumn('id', number, identity)
      .addColumn('target', 'text', column => column.notNull())
      .addColumn('message', 'text', column => column.notNull())
      .addColumn('held_at', number, column => column.notNull()),
    schema.createIndex('alert_held_target_idx').on('alert_held').columns(['target', 'id']),
    schema
      .createTable('notification')
      .addColumn('id', number, identity)
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('project_id', number, column => column.references('project.id').onDelete('cascade'))
      .addColumn('key', 'text', column => column.notNull())
      .addColumn('message', 'text', column => column.notNull())
      .addColumn('at', number, column => column.notNull())
      .addColumn('read_at', number)
      .addUniqueConstraint('notification_key_unique', ['user_id', 'key']),
    schema.createIndex('notification_list_idx').on('notification').columns(['user_id', 'organization_id', 'id']),
    schema.createIndex('notification_at_idx').on('notification').column('at'),
    schema
      .createTable('notification_setting')
      .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('type', 'text', column => column.notNull())
      .addColumn('in_app', 'integer', column => column.notNull())
      .addColumn('email', 'integer', column => column.notNull())
      .addPrimaryKeyConstraint('notification_setting_pk', ['user_id', 'organization_id', 'type']),
    // A new installation alerts from its first issue on. In an older one, the past is no news: the reader begins at the head.
    statement(
      `insert into change_cursor (reader, position, moved_at)
       select 'alerts', 0, 0 where not exists (select 1 from issue)`,
    ),
  ],
}

const statement = (text: string) => ({ compile: () => CompiledQuery.raw(text) })
