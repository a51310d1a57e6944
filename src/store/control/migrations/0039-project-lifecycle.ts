import type { Migration } from '../migration.ts'

/** Projects that are renamed, and projects that are deleted after a grace period. */
export const projectLifecycle: Migration = {
  name: '0039-project-lifecycle',
  statements: (schema, { number }) => [
    schema.alterTable('project').addColumn('deleted_at', number),
    schema
      .createTable('former_slug')
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('slug', 'text', column => column.notNull())
      .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('until', number, column => column.notNull())
      .addPrimaryKeyConstraint('former_slug_pk', ['organization_id', 'slug']),
    schema.createIndex('former_slug_project_idx').on('former_slug').column('project_id'),
  ],
}
