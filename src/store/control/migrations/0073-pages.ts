import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * The alerts at pagers, so that each of them is closed when its subjects end. A deleted channel is kept (`retired_at`) until it has closed
 * its alerts.
 */
export const pages: Migration = {
  name: '0073-pages',
  statements: (schema, { number }) => [
    schema
      .createTable('page')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('channel_id', number, column => column.notNull().references('channel.id').onDelete('cascade'))
      .addColumn('key', 'text', column => column.notNull())
      .addColumn('subject', 'text', column => column.notNull())
      .addColumn('title', 'text', column => column.notNull().defaultTo(''))
      .addColumn('opened_at', number, column => column.notNull())
      .addColumn('told_at', number, column => column.notNull())
      .addColumn('attempted_at', number)
      .addColumn('ended_at', number)
      .addColumn('reason', 'text', column => column.notNull().defaultTo('')),
    schema.createIndex('page_channel_idx').on('page').columns(['channel_id', 'ended_at']),
    schema.createIndex('page_subject_idx').on('page').columns(['subject', 'channel_id']),
    schema.createIndex('page_ended_idx').on('page').column('ended_at'),
    schema
      .createTable('page_subject')
      .addColumn('page_id', 'text', column => column.notNull().references('page.id').onDelete('cascade'))
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('ref', number, column => column.notNull())
      .addColumn('rule_id', number, column => column.notNull())
      .addColumn('checked_at', number, column => column.notNull())
      .addColumn('ended_at', number)
      .addPrimaryKeyConstraint('page_subject_pk', ['page_id', 'kind', 'ref', 'rule_id']),
    schema.createIndex('page_subject_ended_idx').on('page_subject').columns(['ended_at', 'page_id']),
    schema.createIndex('page_subject_ref_idx').on('page_subject').columns(['kind', 'ref']),
    schema.alterTable('channel').addColumn('retired_at', number),
    schema.alterTable('outbox').addColumn('page_id', 'text'),
    schema.alterTable('outbox').addColumn('urgent', 'integer', column => column.notNull().defaultTo(0)),
    schema.createIndex('outbox_page_idx').on('outbox').column('page_id'),
    schema.createIndex('outbox_urgent_idx').on('outbox').columns(['channel_id', 'urgent', 'state']),
    ...takeOver.map(text => ({ compile: () => CompiledQuery.raw(text) })),
  ],
}

const live = {
  issue: (ref: string) => `select 1 from issue where issue.id = ${ref} and issue.status = 'unresolved'`,
  incident: (ref: string) => `select 1 from incident where incident.id = ${ref} and incident.closed_at is null`,
}
const refOf = (kind: string, subject: string) =>
  `cast(case when ${subject} like '${kind}/%' then substr(${subject}, ${kind.length + 2}) else '0' end as bigint)`

/** Alerts that were opened before, with keys made of the subject alone, and whose subject is still open. */
export const takeOver: readonly string[] = (['issue', 'incident'] as const).flatMap(kind => [
  `insert into page (id, organization_id, channel_id, key, subject, opened_at, told_at, attempted_at)
   select 'before/' || outbox.channel_id || '/' || outbox.subject, channel.organization_id, outbox.channel_id,
     'hydrant/' || organization.slug || '/' || outbox.subject, outbox.subject,
     min(outbox.created_at), max(outbox.created_at), min(outbox.created_at)
   from outbox
   inner join channel on channel.id = outbox.channel_id and channel.kind = 'pagerduty'
   inner join organization on organization.id = channel.organization_id
   where outbox.state = 'sent' and outbox.subject like '${kind}/%' and exists (${live[kind](refOf(kind, 'outbox.subject'))})
   group by outbox.channel_id, outbox.subject, channel.organization_id, organization.slug`,
  `insert into page_subject (page_id, kind, ref, rule_id, checked_at)
   select page.id, '${kind}', ${refOf(kind, 'page.subject')}, 0, page.told_at
   from page where page.subject like '${kind}/%'`,
])
