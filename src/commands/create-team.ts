import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { findSlugFault } from './slug.ts'
import { writeAudit } from './write-audit.ts'

export type NewTeam = { organizationId: number; slug: string; name: string; userIds: readonly string[] }
export type CreateTeamResult =
  | { ok: true; teamId: number }
  | { ok: false; code: 'slug_invalid' | 'slug_reserved' | 'slug_taken' }

/** Of those who are named, whoever is a member of the organisation is in it from the start. */
export function createTeam(context: CommandContext, { organizationId, slug, name, userIds }: NewTeam) {
  return inTransaction<CreateTeamResult>(context, async inner => {
    const fault = findSlugFault(slug, 'team')
    if (fault !== null) return { ok: false, code: fault }
    const row = await inner.db
      .insertInto('team')
      .values({ organization_id: organizationId, slug, name: name.trim() || slug, created_at: inner.now() })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'slug_taken' }
    const members = await inner.db
      .selectFrom('member')
      .select('user_id')
      .where('organization_id', '=', organizationId)
      .where('user_id', 'in', ['', ...userIds])
      .execute()
    if (members.length > 0)
      await inner.db
        .insertInto('team_member')
        .values(members.map(({ user_id }) => ({ team_id: row.id, user_id })))
        .execute()
    await writeAudit(inner, { organizationId, action: 'team.create', target: `team:${row.id}`, detail: { slug } })
    return { ok: true, teamId: row.id }
  })
}
