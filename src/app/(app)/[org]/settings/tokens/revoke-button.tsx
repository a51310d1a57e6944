'use client'
import { ConfirmButton } from '#ui/confirm-button.tsx'

type Props = { tokenId: number; name: string; organizationSlug: string; revoke: (form: FormData) => void }

/** Asks first, because a build stops the moment its token does. */
export function RevokeButton({ tokenId, name, organizationSlug, revoke }: Props) {
  return (
    <form action={revoke}>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="token" value={tokenId} />
      <ConfirmButton
        className="btn s danger"
        label={`Revoke ${name}`}
        question={`Revoke token ${name}?`}
        effect="Builds and scripts that use it are rejected from now on. A revoked token can't be restored."
        verb="Revoke token"
      >
        Revoke
      </ConfirmButton>
    </form>
  )
}
