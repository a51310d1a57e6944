import { invitationToken } from '#domain/members/invite-member.ts'
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'

/** Signs the links of invitations. */
export const installationSecret = (): string => loadSecret(getRuntime().config)

/** Whoever opens it can join, so show it only to members who may give its role. */
export function invitationLink(id: string): string {
  return `${getRuntime().config.publicUrl}/invite/${invitationToken(installationSecret(), id)}`
}
