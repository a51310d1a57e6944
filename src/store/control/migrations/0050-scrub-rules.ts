import type { Migration } from '../migration.ts'

/** Own scrubbing rules of organizations and projects. A rule is never changed: it ends, and another begins. */
export const scrubRules: Migration = {
  name: '0050-scrub-rules',
  statements: (schema, { number, identity }) => [
    schema
      .createTable('scrub_rule')
      .addColumn('id', number, identity)
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('project_id', number, column => column.references('project.id').onDelete('cascade'))
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('path', 'text', column => column.notNull())
      .addColumn('pattern', 'text', column => column.notNull())
      .addColumn('action', 'text', column => column.notNull())
      .addColumn('since', number, column => column.notNull())
      .addColumn('until', number)
      .addColumn('actor', 'text', column => column.notNull()),
    schema.createIndex('scrub_rule_organization_idx').on('scrub_rule').column('organization_id'),
    schema.createIndex('scrub_rule_project_idx').on('scrub_rule').column('project_id'),
  ],
}
