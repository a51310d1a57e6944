import { CompiledQuery, sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Delivery that can't be held up: since when a message is tried, how long a channel rests after a failure, and since when its server says
 * that it is gone. When a burst was set, to recognize a clock that was ahead. Indexes for what waits, by channel and subject.
 */
export const waitingMessages: Migration = {
  name: '0071-waiting-messages',
  statements: (schema, { number }) => [
    schema.alterTable('outbox').addColumn('first_attempt_at', number),
    statement(`UPDATE outbox SET first_attempt_at = created_at WHERE attempts > 0 AND state = 'queued'`),
    schema
      .createIndex('outbox_waiting_idx')
      .on('outbox')
      .columns(['channel_id', 'state', 'not_before', 'id'])
      .where(sql.ref('summary_id'), 'is', null),
    // PostgreSQL preferred it and read what waits for all other channels.
    schema.dropIndex('outbox_due_idx'),
    schema.createIndex('outbox_subject_idx').on('outbox').columns(['channel_id', 'subject', 'state', 'id']),
    schema.alterTable('channel').addColumn('failures', number, column => column.notNull().defaultTo(0)),
    schema.alterTable('channel').addColumn('retry_at', number, column => column.notNull().defaultTo(0)),
    schema.alterTable('channel').addColumn('gone_at', number),
    schema.alterTable('alert_burst').addColumn('set_at', number, column => column.notNull().defaultTo(0)),
    // Failing channels are watched in each organization.
    statement(
      `UPDATE detector SET key = 'channels:failing:' || CAST(organization_id AS text) WHERE key = 'operator:delivery'`,
    ),
  ],
}

const statement = (text: string) => ({ compile: () => CompiledQuery.raw(text) })
