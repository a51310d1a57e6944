import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { hasPassword } from '#domain/sign-in/set-password.ts'
import { getRuntime } from '#runtime.ts'
import { Link } from '#ui/link.tsx'
import { SendForm } from '#ui/send/action-form.tsx'
import { findFactors } from '#web/factor-guard.ts'
import { mayUsePasskeys } from '#web/passkeys.ts'
import { safePath, secondFactorPath } from '#web/safe-path.ts'
import { findSignedIn, type SignedIn } from '#web/viewer.ts'
import { webContext } from '#web/web-context.ts'
import { AddPasskey } from '../../../account/add-passkey.tsx'
import { AppSection } from '../../../account/app-setup.tsx'
import { UsePasskey } from '../../../account/use-passkey.tsx'
import { signOut } from '../../../actions.ts'
import { EntryCard } from '../../../entry-card.tsx'
import styles from '../../../sign-in-methods.module.css'
import { ConfirmCodeForm } from './confirm-code-form.tsx'

export const metadata: Metadata = { title: 'Second factor' }

type Props = { searchParams: Promise<{ next?: string | string[]; with?: string | string[] }> }

/**
 * The full-page step between signing in and an organization that requires a second factor, and before factors are changed. Whoever has a
 * factor uses it; only who has none adds one here. `?with=recovery` asks for a recovery code instead.
 */
export default async function SecondFactorPage({ searchParams }: Props) {
  const user = await findSignedIn()
  if (!user) redirect('/login')
  const given = await searchParams
  const next = safePath(typeof given.next === 'string' ? given.next : '/')
  const isRecovery = given.with === 'recovery'
  const { app, passkeys } = await findFactors(user)
  const hasFactor = app || passkeys > 0
  return (
    <EntryCard
      title={passkeys > 0 ? 'Use your passkey' : app ? 'Enter your code' : 'Add a second factor'}
      lede={
        hasFactor && (user.hasSecondFactor || next === '/account')
          ? 'Before you add, replace or remove a second factor, use the one you have.'
          : 'Your organization requires a second factor. It takes a minute.'
      }
      note={
        <>
          {hasFactor ? (
            <>
              Lost it? The operator of this server can reset it with <code>hydrant login-link --reset-two-factor</code>.
            </>
          ) : null}
          <SendForm action={signOut}>
            <button type="submit" className="btn plain s">
              Sign out
            </button>
          </SendForm>
        </>
      }
    >
      {hasFactor ? (
        <>
          {passkeys > 0 ? <UsePasskey label="Use a passkey" next={next} look="primary" /> : null}
          {passkeys > 0 && app ? <p className={styles.or}>or with your authenticator app</p> : null}
          {app ? <Codes isRecovery={isRecovery} next={next} /> : null}
        </>
      ) : (
        <AddFactor user={user} next={next} />
      )}
    </EntryCard>
  )
}

function Codes({ isRecovery, next }: { isRecovery: boolean; next: string }) {
  const here = secondFactorPath(next)
  const other = isRecovery ? here : `${here}${here.includes('?') ? '&' : '?'}with=recovery`
  return (
    <>
      <ConfirmCodeForm key={String(isRecovery)} isRecovery={isRecovery} next={next} />
      <Link className="btn plain" href={other}>
        {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
      </Link>
    </>
  )
}

async function AddFactor({ user, next }: { user: SignedIn; next: string }) {
  const mayAdd = mayUsePasskeys(getRuntime().config.publicUrl)
  const isPasswordSet = await hasPassword(webContext(`user:${user.id}`), user.id)
  return (
    <>
      {mayAdd ? <AddPasskey next={next} look="primary" /> : null}
      {mayAdd ? <p className={styles.or}>or with an authenticator app</p> : null}
      <AppSection hasApp={false} hasPassword={isPasswordSet} codesLeft={0} next={next} />
    </>
  )
}
