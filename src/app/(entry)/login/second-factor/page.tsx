import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { listPasskeys } from '#domain/sign-in/passkeys.ts'
import { hasPassword } from '#domain/sign-in/set-password.ts'
import { getRuntime } from '#runtime.ts'
import { mayUsePasskeys } from '#web/passkeys.ts'
import { safePath } from '#web/safe-path.ts'
import { countRecoveryCodes } from '#web/two-factor.ts'
import { findSignedIn } from '#web/viewer.ts'
import { webContext } from '#web/web-context.ts'
import { AddPasskey } from '../../../account/add-passkey.tsx'
import { AppSection } from '../../../account/app-setup.tsx'
import { UsePasskey } from '../../../account/use-passkey.tsx'
import { signOut } from '../../../actions.ts'
import { EntryCard } from '../../../entry-card.tsx'
import styles from '../../../sign-in-methods.module.css'
import { ConfirmCodeForm } from './confirm-code-form.tsx'

export const metadata: Metadata = { title: 'Second factor' }

type Props = { searchParams: Promise<{ next?: string | string[] }> }

/** The full-page step between signing in and an organization that requires a second factor. */
export default async function SecondFactorPage({ searchParams }: Props) {
  const user = await findSignedIn()
  if (!user) redirect('/login')
  const given = (await searchParams).next
  const next = safePath(typeof given === 'string' ? given : '/')
  const context = webContext(`user:${user.id}`)
  const [passkeys, isPasswordSet] = [await listPasskeys(context, user.id), await hasPassword(context, user.id)]
  const codesLeft = await countRecoveryCodes(user)
  const mayAdd = mayUsePasskeys(getRuntime().config.publicUrl)
  return (
    <EntryCard
      title={passkeys.length > 0 ? 'Use your passkey' : user.hasApp ? 'Enter your code' : 'Add a second factor'}
      lede="Your organization requires a second factor. It takes a minute."
      note={
        <form action={signOut}>
          <button type="submit" className="btn plain s">
            Sign out
          </button>
        </form>
      }
    >
      {passkeys.length > 0 ? <UsePasskey label="Use a passkey" next={next} look="primary" /> : null}
      {mayAdd && passkeys.length === 0 && !user.hasApp ? <AddPasskey next={next} look="primary" /> : null}
      {mayAdd || passkeys.length > 0 ? <p className={styles.or}>or with an authenticator app</p> : null}
      {user.hasApp && !user.hasSecondFactor ? (
        <ConfirmCodeForm next={next} />
      ) : (
        <AppSection hasApp={user.hasApp} hasPassword={isPasswordSet} codesLeft={codesLeft} next={next} />
      )}
    </EntryCard>
  )
}
