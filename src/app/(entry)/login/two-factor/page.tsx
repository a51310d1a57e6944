import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { Link } from '#ui/link.tsx'
import { hasCodeCookie } from '#web/auth-cookies.ts'
import { offersPasskeys } from '#web/passkeys.ts'
import { codePath, safePath } from '#web/safe-path.ts'
import { UsePasskey } from '../../../account/use-passkey.tsx'
import { EntryCard } from '../../../entry-card.tsx'
import { CodeForm } from './code-form.tsx'

export const metadata: Metadata = { title: 'Enter your code' }

type Props = { searchParams: Promise<{ next?: string | string[]; with?: string | string[] }> }

/** The second step of a sign-in. `?with=recovery` asks for a recovery code instead. */
export default async function TwoFactorPage({ searchParams }: Props) {
  if (!hasCodeCookie(await headers())) redirect('/login')
  const given = await searchParams
  const next = safePath(typeof given.next === 'string' ? given.next : '/')
  const isRecovery = given.with === 'recovery'
  const here = codePath(next)
  const hasPasskeys = await offersPasskeys()
  return (
    <EntryCard
      title={isRecovery ? 'Enter a recovery code' : 'Enter your code'}
      lede={isRecovery ? 'Each of your recovery codes works once.' : '6 digits from your authenticator app.'}
      note={
        <>
          Lost your device and your recovery codes? Whoever runs this server can reset your second factor with{' '}
          <code>hydrant login-link --reset-two-factor</code>.
        </>
      }
    >
      <CodeForm key={String(isRecovery)} isRecovery={isRecovery} next={next} />
      <Link className="btn plain" href={isRecovery ? here : `${here}${here.includes('?') ? '&' : '?'}with=recovery`}>
        {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
      </Link>
      {hasPasskeys ? <UsePasskey label="Use a passkey instead" next={next} /> : null}
    </EntryCard>
  )
}
