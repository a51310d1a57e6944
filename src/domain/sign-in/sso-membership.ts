import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { isLastOwner, lockMembers } from '#domain/access/lock-members.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import type { MemberRole } from '#store/control/schema.ts'
import { endMembership } from './end-membership.ts'
import { endSessions } from './sessions.ts'

/** Who may sign in through an identity provider, and as what. Set by the operator, for all providers. */
export type SsoRules = {
  /** The organization that people join; null for the oldest one. */
  organizationSlug: string | null
  /** Only addresses of these domains; empty for all. */
  allowedDomains: readonly string[]
  /** Empty if groups decide nothing. */
  groupRoles: readonly { group: string; role: MemberRole }[]
  /** Of new members whose domain is allowed. */
  role: MemberRole
}

/** What the provider says about a person. */
export type SsoIdentity = { email: string; isEmailVerified: boolean; groups: readonly string[] }

export type SsoFault = 'sso_domain' | 'sso_unverified' | 'sso_group' | 'sso_not_invited'

const rank: readonly MemberRole[] = ['viewer', 'member', 'admin', 'owner']

/** The highest role of the person's groups, or null. */
export function roleOfGroups(
  { groupRoles }: Pick<SsoRules, 'groupRoles'>,
  groups: readonly string[],
): MemberRole | null {
  const roles = groupRoles.filter(({ group }) => groups.includes(group)).map(({ role }) => role)
  return rank.findLast(role => roles.includes(role)) ?? null
}

/** Why the rules refuse this person, before an account is created or linked. */
export function findSsoFault(rules: SsoRules, identity: SsoIdentity, { isNew }: { isNew: boolean }): SsoFault | null {
  const domain = identity.email.toLowerCase().split('@').at(-1) ?? ''
  if (rules.allowedDomains.length > 0) {
    if (!rules.allowedDomains.includes(domain)) return 'sso_domain'
    // Anyone can claim an address that nobody has checked.
    if (!identity.isEmailVerified) return 'sso_unverified'
  }
  if (!isNew) return null
  if (rules.groupRoles.length > 0) return roleOfGroups(rules, identity.groups) === null ? 'sso_group' : null
  return rules.allowedDomains.length > 0 ? null : 'sso_not_invited'
}

type AdmitResult = { ok: true } | { ok: false; code: 'sso_group' }

/**
 * Applies the rules at each sign-in: groups give, change and take away the membership. A membership that someone gave by hand stays as
 * it is, so that a mistake at the provider does not lock the owner out, and so does that of the last owner.
 */
export async function admitBySso(
  context: CommandContext,
  rules: SsoRules,
  { userId, groups }: { userId: string; groups: readonly string[] },
): Promise<AdmitResult> {
  const left = await inTransaction<{ ok: true; isRefused: boolean }>(context, async inner => {
    const organizationId = await findOrganization(inner, rules.organizationSlug)
    if (organizationId === undefined) return { ok: true, isRefused: false }
    await lockMembers(inner, organizationId)
    const member = await inner.db
      .selectFrom('member')
      .select(['role', 'granted_by'])
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    const role = rules.groupRoles.length > 0 ? roleOfGroups(rules, groups) : (member?.role ?? rules.role)
    if (member !== undefined && member.granted_by !== 'sso') return { ok: true, isRefused: false }
    if (member?.role === 'owner' && role !== 'owner' && (await isLastOwner(inner, organizationId)))
      return { ok: true, isRefused: false }
    if (role === null) {
      if (member !== undefined) await removeMember(inner, organizationId, userId)
      return { ok: true, isRefused: !(await isMemberAnywhere(inner, userId)) }
    }
    if (member === undefined && rules.groupRoles.length === 0 && rules.allowedDomains.length === 0)
      return { ok: true, isRefused: false }
    if (member === undefined) await addMember(inner, organizationId, userId, role)
    else if (member.role !== role) await changeRole(inner, organizationId, userId, role)
    return { ok: true, isRefused: false }
  })
  return left.isRefused ? { ok: false, code: 'sso_group' } : { ok: true }
}

async function findOrganization({ db }: CommandContext, slug: string | null): Promise<number | undefined> {
  const oldest = db.selectFrom('organization').select('id').orderBy('id').limit(1)
  return (await (slug === null ? oldest : oldest.where('slug', '=', slug)).executeTakeFirst())?.id
}

async function isMemberAnywhere({ db }: CommandContext, userId: string): Promise<boolean> {
  const row = await db.selectFrom('member').select('role').where('user_id', '=', userId).limit(1).executeTakeFirst()
  return row !== undefined
}

async function addMember(inner: CommandContext, organizationId: number, userId: string, role: MemberRole) {
  await inner.db
    .insertInto('member')
    .values({ organization_id: organizationId, user_id: userId, role, created_at: inner.now(), granted_by: 'sso' })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await writeAudit(inner, {
    organizationId,
    action: 'member.add',
    target: `user:${userId}`,
    detail: { role, by: 'sso' },
  })
}

async function changeRole(inner: CommandContext, organizationId: number, userId: string, role: MemberRole) {
  await inner.db
    .updateTable('member')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
  await writeAudit(inner, {
    organizationId,
    action: 'member.role',
    target: `user:${userId}`,
    detail: { role, by: 'sso' },
  })
}

/** Ends the sessions too: what they may read is decided at the next sign-in. */
async function removeMember(inner: CommandContext, organizationId: number, userId: string) {
  const tokens = await endMembership(inner, { organizationId, userId })
  await endSessions(inner, userId, { except: null })
  await writeAudit(inner, {
    organizationId,
    action: 'member.remove',
    target: `user:${userId}`,
    detail: { by: 'sso', tokens },
  })
}
