import type { Metadata } from 'next'
import { listPasskeys } from '#domain/sign-in/passkeys.ts'
import { listSessions } from '#domain/sign-in/sessions.ts'
import { hasPassword } from '#domain/sign-in/set-password.ts'
import { getRuntime } from '#runtime.ts'
import { Section, TopBar } from '#ui/page-parts.tsx'
import { describeAgent, describeMethod } from '#web/describe-agent.ts'
import { mayUsePasskeys } from '#web/passkeys.ts'
import { countRecoveryCodes } from '#web/two-factor.ts'
import { requireSignedIn } from '#web/viewer.ts'
import { webContext } from '#web/web-context.ts'
import styles from './account.module.css'
import { PasswordForm, ProfileForm } from './account-forms.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { AppSection } from './app-setup.tsx'
import { PasskeyTable } from './passkey-table.tsx'
import { SessionTable } from './session-table.tsx'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const user = await requireSignedIn()
  const context = webContext(`user:${user.id}`)
  const isPasswordSet = await hasPassword(context, user.id)
  const passkeys = await listPasskeys(context, user.id)
  const sessions = await listSessions(context, user.id)
  return (
    <>
      <TopBar>
        <h1>Account</h1>
        <span className="t3">{user.email}</span>
      </TopBar>
      <div className="page-body">
        <Section title="Profile" note="members see your name at issues and comments">
          <div className={styles.narrow}>
            <ProfileForm name={user.name} email={user.email} />
          </div>
        </Section>
        <Section title="Password" note="a change ends all other sessions">
          <div className={styles.narrow}>
            <PasswordForm isNew={!isPasswordSet || user.mayResetPassword} email={user.email} />
          </div>
        </Section>
        <Section title="Two-factor authentication" note="asked for after your password">
          <div className={styles.narrow}>
            <AppSection
              hasApp={user.hasApp}
              hasPassword={isPasswordSet}
              codesLeft={await countRecoveryCodes(user)}
              next="/account"
            />
          </div>
        </Section>
        {mayUsePasskeys(getRuntime().config.publicUrl) ? (
          <Section title="Passkeys" note="sign in without a password; they count as two factors">
            <PasskeyTable
              now={context.now()}
              passkeys={passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt }))}
            />
            <div className={`${styles.narrow} ${styles.below}`}>
              <AddPasskey next="/account" />
            </div>
          </Section>
        ) : null}
        <Section title="Sessions" note="browsers that are signed in as you">
          <SessionTable
            now={context.now()}
            sessions={sessions.map(({ userAgent, method, ...session }) => ({
              ...session,
              device: describeAgent(userAgent),
              method: describeMethod(method),
              isCurrent: session.id === user.sessionId,
            }))}
          />
        </Section>
      </div>
    </>
  )
}
