import type { Metadata } from 'next'
import { findOpenInvitation } from '#domain/members/accept-invitation.ts'
import { findMembership } from '#domain/members/find-membership.ts'
import { getRuntime } from '#runtime.ts'
import { Blank } from '#ui/blank.tsx'
import { formatAge } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { setResponseStatus } from '#web/response-status.ts'
import { findSignedIn } from '#web/viewer.ts'
import { EntryCard } from '../../../entry-card.tsx'
import { JoinAsNewForm, JoinForm, OtherAccount } from './join-form.tsx'

/** The address is a secret that must not reach other servers. `no-referrer` would take the origin from forms, which actions check. */
export const metadata: Metadata = { title: 'Invitation', referrer: 'same-origin' }

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const { control, clock } = getRuntime()
  const invitation = await findOpenInvitation({ db: control.db, now: clock.now }, token)
  if (invitation === null) return <InvalidInvitation />
  const { organizationName, organizationSlug, inviterName, role, email } = invitation
  const user = await findSignedIn()
  const isMember = user !== null && (await findMembership(control, user.id, organizationSlug)) !== null
  const left = formatAge(invitation.expires_at - clock.now()).replace(' ', '\u00a0')
  return (
    <EntryCard
      title={`Join ${organizationName}`}
      lede={`${inviterName || 'An administrator'} invites you as ${role}. This link works once, for another ${left}.`}
    >
      {isMember ? (
        <p>
          You are already a member of {organizationName}.{' '}
          <Link href={`/${organizationSlug}/issues`}>Open its issues</Link>
        </p>
      ) : user !== null ? (
        <>
          <JoinForm token={token} as={user.name || user.email} organizationName={organizationName} />
          <OtherAccount />
        </>
      ) : (
        <JoinAsNewForm token={token} email={email} />
      )}
    </EntryCard>
  )
}

/** The same for used, revoked, expired and invented links, so that nothing can be learned from them. */
function InvalidInvitation() {
  setResponseStatus(404)
  return (
    <main>
      <Blank
        isPage
        title="This invitation is no longer valid"
        reference="404"
        actions={
          <Link className="btn" href="/">
            Go to Hydrant
          </Link>
        }
      >
        It was used, revoked or has expired. Ask the person who invited you for a new link.
      </Blank>
    </main>
  )
}
