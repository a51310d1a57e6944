'use server'
import { z } from 'zod'
import { changeMemberRole, transferOwnership } from '#domain/members/change-member.ts'
import { inviteMember, revokeInvitation } from '#domain/members/invite-member.ts'
import { removeMember } from '#domain/members/remove-member.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { defineAction } from '#web/define-action.ts'
import { formId } from '#web/form-number.ts'
import { installationSecret, invitationLink, mailInvitation } from '#web/invitation-link.ts'

const role = z.enum(['owner', 'admin', 'member', 'viewer'])
const teams = z
  .union([formId, z.array(formId)])
  .optional()
  .transform(given => [given ?? []].flat())

export const submitInvitation = defineAction(
  {
    input: z.object({ email: z.string().trim().max(254), role, team: teams }),
    verb: 'member.invite',
    faultField: 'email',
  },
  async (context, { email, role: as, team }, viewer) => {
    const invited = await inviteMember(context, {
      organizationId: viewer.organization.id,
      installationSecret: installationSecret(),
      email,
      role: as,
      teamIds: team,
    })
    return invited.ok ? { ...invited, say: await mailInvitation(viewer, { id: invited.id, email }) } : invited
  },
  ({ id, say }) => ({ say, secret: invitationLink(id) }),
)

export const withdrawInvitation = defineAction(
  { input: z.object({ invitation: z.string().max(64) }), verb: 'member.uninvite' },
  (context, { invitation }, viewer) =>
    revokeInvitation(context, { organizationId: viewer.organization.id, invitationId: invitation }),
  () => ({ say: 'Invitation revoked. Its link no longer works.' }),
)

/** `change` is the value of the pressed button: `role:<role>`, `transfer`, `remove` or `leave`. */
export const changeMember = defineAction(
  {
    input: z.object({
      member: z.string().max(200),
      change: z.string().max(40),
      tokens: z.literal('on').optional(),
    }),
    verb: {
      among: ['member.role', 'member.remove', 'member.leave', 'organization.transfer'],
      chosen: ({ change }) =>
        change === 'leave'
          ? 'member.leave'
          : change === 'remove'
            ? 'member.remove'
            : change === 'transfer'
              ? 'organization.transfer'
              : 'member.role',
    },
  },
  async (context, { member, change, tokens }, viewer) => {
    const organizationId = viewer.organization.id
    if (change === 'leave' || change === 'remove') {
      const isLeaving = change === 'leave'
      const userId = isLeaving ? viewer.user.id : member
      const removed = await removeMember(context, { organizationId, userId, withCreatedTokens: tokens === 'on' })
      if (!removed.ok) return removed
      return { ok: true as const, isGone: isLeaving || member === viewer.user.id, say: removedMessage(removed) }
    }
    if (change === 'transfer') {
      const given = await transferOwnership(context, { organizationId, userId: member, from: viewer.user.id })
      return given.ok ? { ...given, isGone: false, say: 'Ownership transferred. You are an admin now.' } : given
    }
    const to = role.safeParse(change.replace(/^role:/, ''))
    if (!to.success) return { ok: false as const, code: 'member_not_found' as const }
    const changed = await changeMemberRole(context, { organizationId, userId: member, role: to.data })
    return changed.ok ? { ...changed, isGone: false, say: `Role changed to ${to.data}.` } : changed
  },
  ({ isGone, say }) => (isGone ? { go: '/' } : { say }),
)

function removedMessage({ unassigned, revokedTokens }: { unassigned: number; revokedTokens: number }): string {
  const count = (number: number, noun: string) => `${formatWhole(number)} ${noun}${number === 1 ? '' : 's'}`
  const parts = [
    ...(unassigned > 0 ? [`${count(unassigned, 'issue')} unassigned`] : []),
    ...(revokedTokens > 0 ? [`${count(revokedTokens, 'token')} revoked`] : []),
  ]
  return parts.length === 0 ? 'Member removed.' : `Member removed, ${parts.join(' and ')}.`
}
