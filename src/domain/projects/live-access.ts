/** Reads for the open streams and downloads of all organizations. */
import { may } from '#domain/access/permissions.ts'
import { timeOf } from '#domain/sign-in/auth-time.ts'
import type { Control } from '#store/control/control.ts'
import type { MemberRole } from '#store/control/schema.ts'

export type LiveMember = { sessionId: string; userId: string; organizationId: number }
/** A member's role and the projects that are hidden from them; null if the session or the membership has ended, or lacks a second factor by now. */
export type LiveAccess = (member: LiveMember) => { role: MemberRole; hidden: ReadonlySet<number> } | null

/** Who of these still has access, in three queries for all of them. */
export async function readLiveAccess(
  { db }: Control,
  members: readonly LiveMember[],
  now: number,
): Promise<LiveAccess> {
  const sessionIds = [...new Set(members.map(({ sessionId }) => sessionId))]
  const userIds = [...new Set(members.map(({ userId }) => userId))]
  const organizationIds = [...new Set(members.map(({ organizationId }) => organizationId))]
  const present = await db
    .selectFrom('session')
    .innerJoin('member', 'member.user_id', 'session.userId')
    .innerJoin('organization', 'organization.id', 'member.organization_id')
    .select(['session.id', 'session.expiresAt', 'session.secondFactor', 'member.organization_id', 'member.role'])
    .select('organization.two_factor_from as twoFactorFrom')
    .where('session.id', 'in', ['', ...sessionIds])
    .execute()
  const secret = await db
    .selectFrom('project')
    .select(['id', 'organization_id'])
    .where('is_private', '=', 1)
    .where('organization_id', 'in', [0, ...organizationIds])
    .execute()
  const admitted = secret.length === 0 ? [] : await listAdmitted({ db }, userIds)
  // As the guard of pages decides.
  const admittedNow = present.filter(
    ({ expiresAt, secondFactor, twoFactorFrom }) =>
      timeOf(expiresAt) > now && (twoFactorFrom === null || twoFactorFrom > now || Boolean(secondFactor)),
  )
  const roles = new Map(admittedNow.map(row => [`${row.id} ${row.organization_id}`, row.role]))
  const pairs = new Set(admitted.map(row => `${row.user_id} ${row.project_id}`))
  return ({ sessionId, userId, organizationId }) => {
    const role = roles.get(`${sessionId} ${organizationId}`)
    if (role === undefined) return null
    const own = may(role, 'project:all') ? [] : secret.filter(project => project.organization_id === organizationId)
    return { role, hidden: new Set(own.filter(({ id }) => !pairs.has(`${userId} ${id}`)).map(({ id }) => id)) }
  }
}

const listAdmitted = ({ db }: Pick<Control, 'db'>, userIds: readonly string[]) =>
  db
    .selectFrom('project_access')
    .innerJoin('team_member', 'team_member.team_id', 'project_access.team_id')
    .select(['team_member.user_id', 'project_access.project_id'])
    .where('team_member.user_id', 'in', ['', ...userIds])
    .execute()
