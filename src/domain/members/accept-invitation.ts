import { timingSafeEqual } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { findRole, lockMembers } from '#domain/access/lock-members.ts'
import { lowerRole, may } from '#domain/access/permissions.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import type { PasswordFault } from '#domain/sign-in/password-rules.ts'
import { idsOf } from '#lib/json-value.ts'
import type { MemberRole } from '#store/control/schema.ts'
import { claimUser, hashNewPassword } from './add-member.ts'
import { hashInvitation, invitationProof } from './invite-member.ts'

type Accepted = { ok: true; organizationSlug: string; role: MemberRole }
type AcceptResult = Accepted | { ok: false; code: 'invitation_invalid' | 'invitation_of_other' | 'member_exists' }

/** A signed-in person joins the organization. */
export function acceptInvitation(
  context: CommandContext,
  { token, userId }: { token: string; userId: string },
): Promise<AcceptResult> {
  return inTransaction<AcceptResult>(context, async inner => {
    const invitation = await lockInvitation(inner, token)
    if (invitation === null) return { ok: false, code: 'invitation_invalid' }
    const user = await inner.db
      .selectFrom('user')
      .select(['email', 'emailVerified'])
      .where('id', '=', userId)
      .executeTakeFirst()
    // Whoever proved to own another address is not the invited person. An unproven address says nothing, and the link was given away.
    if (user === undefined) return { ok: false, code: 'invitation_invalid' }
    if (invitation.email !== '' && user.emailVerified && user.email !== invitation.email)
      return { ok: false, code: 'invitation_of_other' }
    if ((await findRole(inner, invitation.organization_id, userId)) !== null)
      return { ok: false, code: 'member_exists' }
    return join(inner, invitation, userId)
  })
}

type NewAccount = {
  token: string
  name: string
  email: string
  password: string
  /** From the link in the mail: shows that the invited address is theirs. */
  proof?: { given: string; installationSecret: string } | undefined
}
type AcceptAsNewResult =
  | (Accepted & { email: string; isTakenOver: boolean })
  | { ok: false; code: 'invitation_invalid' | 'email_invalid' | 'email_taken' | 'name_missing' | PasswordFault }

/**
 * Creates an account for a person without one and adds it to the organization. If the invitation names an address, the account gets that
 * address. The link from the mail verifies the address immediately and takes over an account that someone else created for it.
 */
export async function acceptAsNewUser(context: CommandContext, given: NewAccount): Promise<AcceptAsNewResult> {
  const name = given.name.replaceAll('\0', '').trim()
  // Anybody can send a link that they made up: only a real one is worth the time that hashing takes.
  if ((await findOpenInvitation(context, given.token)) === null) return { ok: false, code: 'invitation_invalid' }
  if (name === '') return { ok: false, code: 'name_missing' }
  const hashed = await hashNewPassword(given.password, { email: given.email, name })
  if (!hashed.ok) return hashed
  return inTransaction<AcceptAsNewResult>(context, async inner => {
    const invitation = await lockInvitation(inner, given.token)
    if (invitation === null) return { ok: false, code: 'invitation_invalid' }
    const email = invitation.email || given.email.trim().toLowerCase()
    const isEmailVerified = isProven(invitation, given.proof)
    const user = await claimUser(inner, { email, name, passwordHash: hashed.hash, isEmailVerified }, 'invitation')
    if (!user.ok) return user
    const { userId, state } = user
    if (state === 'present') return { ok: false, code: 'email_taken' }
    if ((await findRole(inner, invitation.organization_id, userId)) !== null) return { ok: false, code: 'email_taken' }
    const joined = await join({ ...inner, actor: `user:${userId}` }, invitation, userId)
    return { ...joined, email, isTakenOver: state === 'taken_over' }
  })
}

/** Whether this is the link of the mail. An invitation without an address was never mailed. */
export function isProven({ id, email }: Pick<OpenInvitation, 'id' | 'email'>, proof: NewAccount['proof']): boolean {
  if (proof === undefined || email === '') return false
  const right = Buffer.from(invitationProof(proof.installationSecret, id))
  const given = Buffer.from(proof.given)
  return given.length === right.length && timingSafeEqual(given, right)
}

type OpenInvitation = {
  id: string
  organization_id: number
  email: string
  /** Never above what the inviter may give now. */
  role: MemberRole
  team_ids: string
}

/** Locks the invitation and the members, so that it is used once. Null if it is used, revoked, expired, or its inviter may not invite. */
async function lockInvitation(inner: CommandContext, token: string): Promise<OpenInvitation | null> {
  const found = await inner.db
    .selectFrom('invitation')
    .select(['id', 'organization_id'])
    .where('token_hash', '=', hashInvitation(token))
    .executeTakeFirst()
  if (found === undefined) return null
  await lockMembers(inner, found.organization_id)
  return findOpenInvitation(inner, token)
}

/** Also for the page, before there is a viewer. */
export async function findOpenInvitation({ db, now }: Pick<CommandContext, 'db' | 'now'>, token: string) {
  const row = await db
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organization_id')
    .leftJoin('user', 'user.id', 'invitation.invited_by')
    .select([
      ...(['invitation.id', 'invitation.organization_id', 'invitation.email', 'invitation.role'] as const),
      ...(['invitation.team_ids', 'invitation.invited_by', 'invitation.expires_at'] as const),
      ...(['organization.name as organizationName', 'organization.slug as organizationSlug'] as const),
      'user.name as inviterName',
    ])
    .where('invitation.token_hash', '=', hashInvitation(token))
    .where('invitation.accepted_at', 'is', null)
    .where('invitation.revoked_at', 'is', null)
    .where('invitation.expires_at', '>', now())
    .executeTakeFirst()
  if (row === undefined) return null
  const inviter = row.invited_by === null ? 'owner' : await findRole({ db }, row.organization_id, row.invited_by)
  if (inviter === null || !may(inviter, 'member:write')) return null
  return { ...row, role: lowerRole(row.role, inviter) }
}

/** Only an owner's invitation makes an owner, so the lock on the members is enough. */
async function join(inner: CommandContext, invitation: OpenInvitation, userId: string): Promise<Accepted> {
  const { id, organization_id: organizationId, role } = invitation
  const at = inner.now()
  await inner.db
    .insertInto('member')
    .values({ organization_id: organizationId, user_id: userId, role, created_at: at })
    .execute()
  const teams = await inner.db
    .selectFrom('team')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [0, ...idsOf(invitation.team_ids)])
    .execute()
  if (teams.length > 0)
    await inner.db
      .insertInto('team_member')
      .values(teams.map(team => ({ team_id: team.id, user_id: userId })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  await inner.db.updateTable('invitation').set({ accepted_by: userId, accepted_at: at }).where('id', '=', id).execute()
  await writeAudit(inner, {
    organizationId,
    action: 'member.join',
    target: `user:${userId}`,
    detail: { invitation: id },
    after: { role },
  })
  const { slug } = await inner.db
    .selectFrom('organization')
    .select('slug')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { ok: true, organizationSlug: slug, role }
}
