import type { Migration } from '../../migration.ts'

/** Teams that issues are assigned to; where an issue happens, and how far beyond its usual it was when it escalated. */
export const teamsAndPlaces: Migration = {
  name: '0008-teams-and-places',
  statements: (schema, { number, identity }) => [
    schema
      .createTable('team')
      .addColumn('id', number, identity)
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('slug', 'text', column => column.notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('created_at', number, column => column.notNull())
      .addUniqueConstraint('team_slug_key', ['organization_id', 'slug']),
    schema
      .createTable('team_member')
      .addColumn('team_id', number, column => column.notNull().references('team.id').onDelete('cascade'))
      .addColumn('user_id', 'text', column => column.notNull().references('user.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('team_member_pk', ['team_id', 'user_id']),
    schema.createIndex('team_member_user_idx').on('team_member').column('user_id'),
    schema.alterTable('issue').addColumn('place', 'text', column => column.notNull().defaultTo('')),
    schema.alterTable('issue').addColumn('times_usual', number, column => column.notNull().defaultTo(0)),
  ],
}
