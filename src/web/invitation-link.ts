import type { Viewer } from '#domain/access/viewer.ts'
import { invitationDays, invitationProof, invitationToken } from '#domain/members/invite-member.ts'
import { clipText } from '#lib/text.ts'
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'
import { sendAccountMail } from './account-mail.ts'

/** Signs the links of invitations. */
export const installationSecret = (): string => loadSecret(getRuntime().config)

/** Whoever opens it can join, so show it only to members who may give its role. */
export function invitationLink(id: string): string {
  return getRuntime().config.publicUrl + invitationPath(id)
}

const invitationPath = (id: string): string => `/invite/${invitationToken(installationSecret(), id)}`

/**
 * Mails the link to the invited address, if mail is configured. It shows that whoever uses it reads that mail, unlike the link that the
 * inviter sees. Gives what to tell the inviter, who has a link in any case.
 */
export async function mailInvitation(viewer: Viewer, { id, email }: { id: string; email: string }): Promise<string> {
  const { config, mailer } = getRuntime()
  const works = `it works once, for ${invitationDays} days.`
  if (mailer === null || email === '') return `Invitation created. Send the link: ${works}`
  const { organization, user } = viewer
  const sent = await sendAccountMail(mailer, config, {
    to: email,
    title: `${user.name} invites you to ${organization.name} on Hydrant`,
    lines: [`Join ${organization.name} to see its errors and traces. The link works once, for ${invitationDays} days.`],
    button: {
      label: 'Accept the invitation',
      path: `${invitationPath(id)}?mail=${invitationProof(installationSecret(), id)}`,
    },
    note: `This mail was sent because ${user.email} entered your address.`,
  })
  return sent.ok
    ? `Invitation mailed to ${email}. You can also send the link yourself: ${works}`
    : `Invitation created, but the mail was not accepted (${clipText(sent.response, 200)}). Send the link yourself: ${works}`
}
