import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { isLastOwner, lockMembers } from '#domain/access/lock-members.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import type { MemberRole } from '#store/control/schema.ts'
import { endMembership, isMember } from './end-membership.ts'

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
export type SsoIdentity = {
  email: string
  isEmailVerified: boolean
  /** Null if the provider did not say: then groups neither give nor take anything. */
  groups: readonly string[] | null
}

export type SsoFault = 'sso_domain' | 'sso_unverified' | 'sso_group' | 'sso_groups_unknown' | 'sso_not_invited'

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
  if (rules.groupRoles.length > 0) {
    if (identity.groups === null) return 'sso_groups_unknown'
    if (roleOfGroups(rules, identity.groups) === null) return 'sso_group'
    return identity.isEmailVerified ? null : 'sso_unverified'
  }
  return rules.allowedDomains.length > 0 ? null : 'sso_not_invited'
}

type AdmitFault = 'sso_group' | 'sso_groups_unknown'
type AdmitResult = { ok: true } | { ok: false; code: AdmitFault }

/**
 * Applies the rules at each sign-in: groups give, change and take away the membership. A membership that someone gave by hand stays as
 * it is, so that a mistake at the provider does not lock the owner out, and so does that of the last owner. A provider that did not say
 * which groups there are changes nothing, and whose membership depends on groups does not get in.
 */
export async function admitBySso(
  context: CommandContext,
  rules: SsoRules,
  { userId, groups }: { userId: string; groups: readonly string[] | null },
): Promise<AdmitResult> {
  // A refusal is not a failure of the transaction: the removal stays.
  const left = await inTransaction<{ ok: true; fault: AdmitFault | null }>(context, async inner => {
    const admitted = { ok: true as const, fault: null }
    const organizationId = await findOrganization(inner, rules.organizationSlug)
    if (organizationId === undefined) return admitted
    await lockMembers(inner, organizationId)
    const member = await inner.db
      .selectFrom('member')
      .select(['role', 'granted_by'])
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (member !== undefined && member.granted_by !== 'sso') return admitted
    const byGroups = rules.groupRoles.length > 0
    if (byGroups && groups === null) {
      const needsGroups = member !== undefined || !(await isMember(inner, userId))
      return needsGroups ? { ok: true, fault: 'sso_groups_unknown' } : admitted
    }
    const role = byGroups ? roleOfGroups(rules, groups ?? []) : (member?.role ?? rules.role)
    if (member?.role === 'owner' && role !== 'owner' && (await isLastOwner(inner, organizationId))) return admitted
    if (role === null) {
      if (member !== undefined) await removeMember(inner, organizationId, userId)
      return { ok: true, fault: (await isMember(inner, userId)) ? null : 'sso_group' }
    }
    if (member === undefined && !byGroups && rules.allowedDomains.length === 0) return admitted
    if (member === undefined) await addMember(inner, organizationId, userId, role)
    else if (member.role !== role) await changeRole(inner, organizationId, userId, role)
    return admitted
  })
  return left.fault === null ? { ok: true } : { ok: false, code: left.fault }
}

async function findOrganization({ db }: CommandContext, slug: string | null): Promise<number | undefined> {
  const oldest = db.selectFrom('organization').select('id').orderBy('id').limit(1)
  return (await (slug === null ? oldest : oldest.where('slug', '=', slug)).executeTakeFirst())?.id
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

async function removeMember(inner: CommandContext, organizationId: number, userId: string) {
  const { tokens } = await endMembership(inner, { organizationId, userId })
  await writeAudit(inner, {
    organizationId,
    action: 'member.remove',
    target: `user:${userId}`,
    detail: { by: 'sso', tokens },
  })
}
