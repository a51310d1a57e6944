import type { Migration } from '../../migration.ts'

/** Projects, their keys and filters, auth tokens, the audit log and the settings of the installation. */
export const projects: Migration['statements'] = (schema, { number, identity }) => [
  schema
    .createTable('project')
    .addColumn('id', number, identity)
    .addColumn('organization_id', number, column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('slug', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('platform', 'text', column => column.notNull())
    .addColumn('is_internal', number, column => column.notNull().defaultTo(0))
    .addColumn('last_issue_number', number, column => column.notNull().defaultTo(0))
    .addColumn('first_event_at', number)
    .addColumn('created_at', number, column => column.notNull())
    .addUniqueConstraint('project_slug_unique', ['organization_id', 'slug']),
  schema
    .createTable('project_key')
    .addColumn('id', number, identity)
    .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('public_key', 'text', column => column.notNull().unique())
    .addColumn('label', 'text', column => column.notNull())
    .addColumn('is_active', number, column => column.notNull().defaultTo(1))
    .addColumn('events_per_minute', number, column => column.notNull().defaultTo(0))
    .addColumn('created_at', number, column => column.notNull()),
  schema.createIndex('project_key_project_idx').on('project_key').column('project_id'),
  schema
    .createTable('auth_token')
    .addColumn('id', number, identity)
    .addColumn('organization_id', number, column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('token_hash', 'text', column => column.notNull().unique())
    .addColumn('token_hint', 'text', column => column.notNull())
    .addColumn('scopes', 'text', column => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('created_at', number, column => column.notNull())
    .addColumn('last_used_at', number)
    .addColumn('revoked_at', number)
    .addColumn('nonce', 'text', column => column.notNull().defaultTo('')),
  schema.createIndex('auth_token_organization_idx').on('auth_token').column('organization_id'),
  schema
    .createTable('audit')
    .addColumn('id', number, identity)
    // No reference: the record of what was done outlives its organization.
    .addColumn('organization_id', number)
    .addColumn('actor', 'text', column => column.notNull())
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('detail', 'text', column => column.notNull())
    .addColumn('at', number, column => column.notNull()),
  schema.createIndex('audit_organization_at_idx').on('audit').columns(['organization_id', 'at']),
  schema
    .createTable('setting')
    .addColumn('name', 'text', column => column.primaryKey().notNull())
    .addColumn('value', 'text', column => column.notNull()),
  // Never updated: a record is filtered by the mode that was in force when it was received, also when it is digested again.
  schema
    .createTable('project_filter')
    .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('rule', 'text', column => column.notNull())
    .addColumn('since', number, column => column.notNull())
    .addColumn('mode', 'text', column => column.notNull())
    .addColumn('keep_one_in', number, column => column.notNull())
    .addColumn('actor', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('project_filter_pk', ['project_id', 'rule', 'since']),
  schema
    .createTable('filtered_example')
    .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
    .addColumn('rule', 'text', column => column.notNull())
    .addColumn('event_id', 'text', column => column.notNull())
    .addColumn('at', number, column => column.notNull())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('route', 'text', column => column.notNull())
    .addColumn('release', 'text', column => column.notNull())
    .addColumn('browser', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('filtered_example_pk', ['project_id', 'rule', 'event_id']),
  schema.createIndex('filtered_example_at_idx').on('filtered_example').columns(['project_id', 'rule', 'at']),
]
