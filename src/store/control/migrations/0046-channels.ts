import type { Migration } from '../migration.ts'

/** Where alerts are delivered, what is still to be delivered, and every attempt. */
export const channels: Migration = {
  name: '0046-channels',
  statements: (schema, { number, identity }) => [
    schema
      .createTable('channel')
      .addColumn('id', number, identity)
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('project_id', number, column => column.references('project.id').onDelete('cascade'))
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('config', 'text', column => column.notNull())
      .addColumn('secret', 'text', column => column.notNull().defaultTo(''))
      .addColumn('state', 'text', column => column.notNull().defaultTo('active'))
      .addColumn('state_at', number, column => column.notNull())
      .addColumn('disabled_reason', 'text', column => column.notNull().defaultTo(''))
      .addColumn('owner_user_id', 'text', column => column.references('user.id').onDelete('set null'))
      .addColumn('created_at', number, column => column.notNull())
      .addUniqueConstraint('channel_name_unique', ['organization_id', 'name']),
    schema
      .createTable('outbox')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('channel_id', number, column => column.notNull().references('channel.id').onDelete('cascade'))
      .addColumn('key', 'text', column => column.notNull().unique())
      .addColumn('subject', 'text', column => column.notNull().defaultTo(''))
      .addColumn('message', 'text', column => column.notNull())
      .addColumn('recipients', 'text', column => column.notNull().defaultTo('[]'))
      .addColumn('reached', 'text', column => column.notNull().defaultTo('[]'))
      .addColumn('not_before', number, column => column.notNull())
      .addColumn('attempts', number, column => column.notNull().defaultTo(0))
      .addColumn('state', 'text', column => column.notNull().defaultTo('queued'))
      .addColumn('leased_by', 'text', column => column.notNull().defaultTo(''))
      .addColumn('leased_until', number, column => column.notNull().defaultTo(0))
      .addColumn('last_error', 'text', column => column.notNull().defaultTo(''))
      .addColumn('summary_id', 'text')
      .addColumn('created_at', number, column => column.notNull())
      .addColumn('sent_at', number),
    schema.createIndex('outbox_due_idx').on('outbox').columns(['state', 'not_before']),
    schema.createIndex('outbox_channel_idx').on('outbox').columns(['channel_id', 'state', 'sent_at']),
    schema.createIndex('outbox_sent_idx').on('outbox').column('sent_at'),
    schema.createIndex('outbox_summary_idx').on('outbox').column('summary_id'),
    schema
      .createTable('delivery')
      .addColumn('id', number, identity)
      .addColumn('outbox_id', 'text', column => column.references('outbox.id').onDelete('set null'))
      .addColumn('channel_id', number, column => column.notNull().references('channel.id').onDelete('cascade'))
      .addColumn('at', number, column => column.notNull())
      .addColumn('title', 'text', column => column.notNull())
      .addColumn('attempt', number, column => column.notNull())
      .addColumn('status', number)
      .addColumn('latency_ms', number, column => column.notNull())
      .addColumn('response', 'text', column => column.notNull())
      .addColumn('outcome', 'text', column => column.notNull()),
    schema.createIndex('delivery_channel_idx').on('delivery').columns(['channel_id', 'at']),
    schema.createIndex('delivery_outbox_idx').on('delivery').column('outbox_id'),
  ],
}
