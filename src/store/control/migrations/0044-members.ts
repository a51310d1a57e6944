import type { Migration } from '../migration.ts'

/** Invitations, projects that are private to teams, and tokens that belong to a member or expire. */
export const members: Migration = {
  name: '0044-members',
  statements: (schema, { number }) => [
    schema
      .createTable('invitation')
      .addColumn('id', 'text', column => column.primaryKey().notNull())
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('token_hash', 'text', column => column.notNull().unique())
      .addColumn('email', 'text', column => column.notNull())
      .addColumn('role', 'text', column => column.notNull())
      .addColumn('team_ids', 'text', column => column.notNull())
      // No reference: without the inviter, the invitation is void and stays in the list of what happened.
      .addColumn('invited_by', 'text')
      .addColumn('created_at', number, column => column.notNull())
      .addColumn('expires_at', number, column => column.notNull())
      .addColumn('accepted_by', 'text')
      .addColumn('accepted_at', number)
      .addColumn('revoked_at', number),
    schema.createIndex('invitation_organization_idx').on('invitation').column('organization_id'),
    schema.alterTable('project').addColumn('is_private', number, column => column.notNull().defaultTo(0)),
    schema
      .createTable('project_access')
      .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('team_id', number, column => column.notNull().references('team.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('project_access_pk', ['project_id', 'team_id']),
    schema.createIndex('project_access_team_idx').on('project_access').column('team_id'),
    schema
      .alterTable('auth_token')
      .addColumn('user_id', 'text', column => column.references('user.id').onDelete('cascade')),
    schema.alterTable('auth_token').addColumn('expires_at', number),
    schema.alterTable('auth_token').addColumn('sees_private', number, column => column.notNull().defaultTo(0)),
    schema.createIndex('auth_token_user_idx').on('auth_token').column('user_id'),
  ],
}
