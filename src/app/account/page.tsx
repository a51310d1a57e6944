import type { Metadata } from 'next'
import { listPasskeys } from '#domain/sign-in/passkeys.ts'
import { listSessions } from '#domain/sign-in/sessions.ts'
import { hasPassword } from '#domain/sign-in/set-password.ts'
import { listTrustedBrowsers } from '#domain/sign-in/trusted-browsers.ts'
import { getRuntime } from '#runtime.ts'
import { Section, TopBar } from '#ui/page-parts.tsx'
import { describeAgent, describeMethod } from '#web/describe-agent.ts'
import { mustShowFactor } from '#web/factor-guard.ts'
import { mayUsePasskeys } from '#web/passkeys.ts'
import { countRecoveryCodes } from '#web/two-factor.ts'
import { requireSignedIn } from '#web/viewer.ts'
import { webContext } from '#web/web-context.ts'
import styles from './account.module.css'
import { PasswordForm, ProfileForm } from './account-forms.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { AppSection } from './app-setup.tsx'
import { BrowserTable } from './browser-table.tsx'
import { describeApp } from './describe-app.ts'
import { PasskeyTable } from './passkey-table.tsx'
import { SessionTable } from './session-table.tsx'
import { ShowFactor } from './show-factor.tsx'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const user = await requireSignedIn()
  const context = webContext(`user:${user.id}`)
  const isPasswordSet = await hasPassword(context, user.id)
  const passkeys = await listPasskeys(context, user.id)
  const sessions = await listSessions(context, user.id)
  const browsers = user.hasApp ? await listTrustedBrowsers(context, user.id) : []
  const isFactorDue = await mustShowFactor(user)
  const codesLeft = await countRecoveryCodes(user)
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
        <Section title="Password" note="a change ends all other sessions and trusted browsers">
          <div className={styles.narrow}>
            <PasswordForm isNew={!isPasswordSet || user.mayResetPassword} email={user.email} />
          </div>
        </Section>
        <Section title="Two-factor authentication" note="asked for after your password">
          <div className={styles.narrow}>
            {isFactorDue ? (
              <>
                <p className="t2">
                  {user.hasApp ? describeApp(codesLeft) : 'You have no authenticator app, and sign in with a passkey.'}
                </p>
                <ShowFactor />
              </>
            ) : (
              <AppSection hasApp={user.hasApp} hasPassword={isPasswordSet} codesLeft={codesLeft} next="/account" />
            )}
          </div>
        </Section>
        {mayUsePasskeys(getRuntime().config.publicUrl) ? (
          <Section title="Passkeys" note="sign in without a password; they count as two factors">
            <PasskeyTable
              now={context.now()}
              mayRemove={!isFactorDue}
              passkeys={passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt }))}
            />
            <div className={`${styles.narrow} ${styles.below}`}>
              {isFactorDue ? <ShowFactor /> : <AddPasskey next="/account" />}
            </div>
          </Section>
        ) : null}
        <Section title="Sessions" note="browsers that are signed in as you">
          <SessionTable
            now={context.now()}
            trusted={browsers.length}
            sessions={sessions.map(({ userAgent, method, ...session }) => ({
              ...session,
              device: describeAgent(userAgent),
              method: describeMethod(method),
              isCurrent: session.id === user.sessionId,
            }))}
          />
        </Section>
        {user.hasApp ? (
          <Section
            title="Trusted browsers"
            note="not asked for the code of your app for 30 days after their last sign-in"
          >
            <BrowserTable
              now={context.now()}
              browsers={browsers.map(({ id, userAgent, address, usedAt }) => ({
                ...{ id, address, usedAt },
                device: describeAgent(userAgent),
              }))}
            />
          </Section>
        ) : null}
      </div>
    </>
  )
}
