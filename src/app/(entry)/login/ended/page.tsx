import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { findRecentEnd, type RecentEnd } from '#domain/sign-in/find-recent-end.ts'
import { hasPassword } from '#domain/sign-in/set-password.ts'
import { Link } from '#ui/link.tsx'
import { describeEnded } from '#web/describe-ended.ts'
import { safePath } from '#web/safe-path.ts'
import { findSignedIn } from '#web/viewer.ts'
import { webContext } from '#web/web-context.ts'
import { PasswordForm } from '../../../account/account-forms.tsx'
import { EntryCard } from '../../../entry-card.tsx'

export const metadata: Metadata = { title: 'Set up your account again' }

type Props = { searchParams: Promise<{ next?: string | string[] }> }

const titles: Record<RecentEnd['reason'], string> = {
  address_verified: 'Your address is verified',
  two_factor_reset: 'Your second factor was reset',
}
const causes: Record<RecentEnd['reason'], string> = {
  address_verified: 'Someone else might have created this account, so all earlier access to it has ended',
  two_factor_reset: 'The operator of this server reset it, which ended all earlier access to your account',
}

/** After a sign-in that has ended everything that signed in before. Goes on if nothing has. */
export default async function EndedPage({ searchParams }: Props) {
  const user = await findSignedIn()
  if (!user) redirect('/login')
  const given = (await searchParams).next
  const next = safePath(typeof given === 'string' ? given : '/')
  const context = webContext(`user:${user.id}`)
  const recent = await findRecentEnd(context, user.id)
  const what = recent === null ? '' : describeEnded(recent.ended)
  if (recent === null || what === '') redirect(next)
  const isPasswordSet = await hasPassword(context, user.id)
  return (
    <EntryCard title={titles[recent.reason]} lede={user.email}>
      <p>
        {causes[recent.reason]}: {what}. Set up again what you still need.
      </p>
      {isPasswordSet ? null : <PasswordForm isNew email={user.email} />}
      <Link className={isPasswordSet ? 'btn primary' : 'btn'} href={next}>
        {isPasswordSet ? 'Continue' : 'Continue without a password'}
      </Link>
    </EntryCard>
  )
}
