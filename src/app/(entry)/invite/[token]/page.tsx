import type { Metadata } from 'next'
import { findOpenInvitation, isProven } from '#domain/members/accept-invitation.ts'
import { findMembership } from '#domain/members/find-membership.ts'
import { findWouldEnd } from '#domain/sign-in/verify-address.ts'
import { getRuntime } from '#runtime.ts'
import { Blank } from '#ui/blank.tsx'
import { formatLeft } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { describeEnded } from '#web/describe-ended.ts'
import { installationSecret } from '#web/invitation-link.ts'
import { setResponseStatus } from '#web/response-status.ts'
import { findSignedIn } from '#web/viewer.ts'
import { webContext } from '#web/web-context.ts'
import { EntryCard } from '../../../entry-card.tsx'
import { JoinAsNewForm, JoinForm, OtherAccount } from './join-form.tsx'

/** The address is a secret that must not reach other servers. `no-referrer` would take the origin from forms, which actions check. */
export const metadata: Metadata = { title: 'Invitation', referrer: 'same-origin' }

type Props = { params: Promise<{ token: string }>; searchParams: Promise<{ mail?: string | string[] }> }

/** `?mail=` is in the link of the mail only. */
export default async function InvitationPage({ params, searchParams }: Props) {
  const [{ token }, { mail }] = [await params, await searchParams]
  const { control, clock } = getRuntime()
  const invitation = await findOpenInvitation({ db: control.db, now: clock.now }, token)
  if (invitation === null) return <InvalidInvitation />
  const { organizationName, organizationSlug, inviterName, role, email } = invitation
  const user = await findSignedIn()
  const isMember = user !== null && (await findMembership(control, user.id, organizationSlug)) !== null
  const given = typeof mail === 'string' ? mail : ''
  const isMailed = isProven(invitation, { given, installationSecret: installationSecret() })
  const wouldEnd = isMailed && user === null ? await findWouldEnd(webContext(), email) : null
  const left = formatLeft(invitation.expires_at - clock.now()).replace(' ', '\u00a0')
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
        <>
          {wouldEnd === null ? null : (
            <Notice kind="info">
              An account with this address exists, but the address isn’t verified. Joining verifies it and ends all
              earlier access to the account: {describeEnded(wouldEnd)}.
            </Notice>
          )}
          <JoinAsNewForm token={token} email={email} mail={given} />
        </>
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
