import type { CommandContext } from './command-context.ts'

/** The organisation is part of the question: a team of another one is not there. */
export function findTeam({ db }: CommandContext, organizationId: number, teamId: number) {
  return db
    .selectFrom('team')
    .select(['id', 'slug'])
    .where('id', '=', teamId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}
