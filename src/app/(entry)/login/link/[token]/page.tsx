import type { Metadata } from 'next'
import { findLoginLink } from '#domain/sign-in/login-link.ts'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { describeEnded } from '#web/describe-ended.ts'
import { webContext } from '#web/web-context.ts'
import { EntryCard } from '../../../../entry-card.tsx'
import { LinkForm } from './link-form.tsx'

export const metadata: Metadata = { title: 'Sign in', referrer: 'no-referrer' }

type Props = { params: Promise<{ token: string }> }

/** A link from a mail or from `hydrant login-link`. Opening it does not use it up; the button does. */
export default async function LinkPage({ params }: Props) {
  const { token } = await params
  const found = await findLoginLink(webContext(), token.slice(0, 100))
  if (found === null)
    return (
      <EntryCard title="This link no longer works" lede="It has been used, or it is too old. Ask for a new one.">
        <Link className="btn" href="/login">
          Go to sign-in
        </Link>
      </EntryCard>
    )
  const what = found.wouldEnd === null ? '' : describeEnded(found.wouldEnd)
  return (
    <EntryCard title="Sign in to Hydrant" lede={found.email}>
      {what === '' ? null : (
        <Notice kind="info">
          This address isn’t verified yet. Signing in verifies it and ends all earlier access to the account: {what}.
        </Notice>
      )}
      <LinkForm token={token} />
    </EntryCard>
  )
}
