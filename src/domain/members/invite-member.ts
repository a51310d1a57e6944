import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { findActorRole, lockMembers } from '#domain/access/lock-members.ts'
import { mayGrantRole } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import type { MemberRole } from '#store/control/schema.ts'
import { scopeControl } from '#store/control/scoped-control.ts'
import { isEmail } from './add-member.ts'

export const invitationDays = 7
const validMs = invitationDays * 86_400_000
const maxOpen = 500

type NewInvitation = {
  organizationId: number
  /** Empty to invite whoever has the link. */
  email: string
  role: MemberRole
  teamIds: readonly number[]
  /** Signs the link. */
  installationSecret: string
}
type InviteResult =
  | { ok: true; id: string; token: string }
  | { ok: false; code: 'not_permitted' | 'email_invalid' | 'member_exists' | 'team_not_found' | 'too_many_invitations' }

/** Invites one person, by a link that is valid once. A new invitation of the same address replaces the old one. */
export function inviteMember(context: CommandContext, given: NewInvitation): Promise<InviteResult> {
  return inTransaction<InviteResult>(context, async inner => {
    const { organizationId, role, installationSecret } = given
    const email = given.email.trim().toLowerCase()
    if (email !== '' && !isEmail(email)) return { ok: false, code: 'email_invalid' }
    await lockMembers(inner, organizationId)
    const actor = await findActorRole(inner, organizationId)
    if (actor === null || !mayGrantRole(actor, role)) return { ok: false, code: 'not_permitted' }
    const fault = await findFault(inner, { ...given, email })
    if (fault !== null) return { ok: false, code: fault }
    if (email !== '') await revokeOpen(inner, organizationId, email)
    const id = randomBytes(16).toString('hex')
    const token = invitationToken(installationSecret, id)
    const invitedBy = /^user:(.+)$/s.exec(inner.actor)?.[1] ?? null
    const at = inner.now()
    await inner.db
      .insertInto('invitation')
      .values({
        id,
        organization_id: organizationId,
        token_hash: hashInvitation(token),
        email,
        role,
        team_ids: JSON.stringify(given.teamIds),
        invited_by: invitedBy,
        created_at: at,
        expires_at: at + validMs,
        accepted_by: null,
        accepted_at: null,
        revoked_at: null,
      })
      .execute()
    await writeAudit(inner, {
      organizationId,
      action: 'member.invite',
      target: `invitation:${id}`,
      label: email || 'anyone with the link',
      after: { role },
    })
    return { ok: true, id, token }
  })
}

async function findFault({ db, now }: CommandContext, { organizationId, email, teamIds }: NewInvitation) {
  const control = scopeControl(db, { organizationId, projectIds: [] })
  const present = await control.members().select('user.id').where('user.email', '=', email).executeTakeFirst()
  if (present !== undefined) return 'member_exists'
  const teams = await control
    .teams()
    .select('id')
    .where('id', 'in', [0, ...teamIds])
    .execute()
  if (teams.length < new Set(teamIds).size) return 'team_not_found'
  const open = await control.invitations(now()).select('id').limit(maxOpen).execute()
  return open.length < maxOpen ? null : 'too_many_invitations'
}

async function revokeOpen({ db, now }: CommandContext, organizationId: number, email: string): Promise<void> {
  await db
    .updateTable('invitation')
    .set({ revoked_at: now() })
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
}

/** The same every time, so that the link can be copied again although only its hash is stored. */
export const invitationToken = (installationSecret: string, id: string): string =>
  createHmac('sha256', installationSecret).update(`invitation:${id}`).digest('base64url')

/** Added to the link in the mail only: whoever has it reads the mail of the invited address. */
export const invitationProof = (installationSecret: string, id: string): string =>
  createHmac('sha256', installationSecret).update(`invitation mail:${id}`).digest('base64url')

/** A fast hash is enough for 256 unguessable bits. */
export const hashInvitation = (token: string): string => createHash('sha256').update(token).digest('hex')

type RevokeResult = { ok: true } | { ok: false; code: 'invitation_not_found' | 'not_permitted' }

export function revokeInvitation(
  context: CommandContext,
  { organizationId, invitationId }: { organizationId: number; invitationId: string },
): Promise<RevokeResult> {
  return inTransaction<RevokeResult>(context, async inner => {
    await lockMembers(inner, organizationId)
    const found = await scopeControl(inner.db, { organizationId, projectIds: [] })
      .invitations(inner.now())
      .select(['invitation.email', 'invitation.role'])
      .where('invitation.id', '=', invitationId)
      .executeTakeFirst()
    if (found === undefined) return { ok: false, code: 'invitation_not_found' }
    const actor = await findActorRole(inner, organizationId)
    if (actor === null || !mayGrantRole(actor, found.role)) return { ok: false, code: 'not_permitted' }
    await inner.db.updateTable('invitation').set({ revoked_at: inner.now() }).where('id', '=', invitationId).execute()
    await writeAudit(inner, {
      organizationId,
      action: 'member.uninvite',
      target: `invitation:${invitationId}`,
      label: found.email || 'anyone with the link',
      before: { role: found.role },
    })
    return { ok: true }
  })
}

/** Open invitations, newest first, with the name of the inviter. */
export function listInvitations(viewer: Pick<Viewer, 'control' | 'now'>) {
  return viewer.control
    .invitations(viewer.now)
    .leftJoin('user', 'user.id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'invitation.email',
      'invitation.role',
      'invitation.expires_at as expiresAt',
      'user.name as invitedBy',
    ])
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id')
    .limit(maxOpen)
    .execute()
}
