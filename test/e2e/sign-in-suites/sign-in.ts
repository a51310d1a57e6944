/** Every way to sign in, in a browser: link, password, app, recovery code, identity provider, required second factor, passkey. */

import { type IncomingMessage, request } from 'node:http'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openControl } from '#store/control/open-control.ts'
import type { Smtp } from '../../channels/start-smtp.ts'
import { isLong, longTest } from '../../long.ts'
import type { Hydrant } from '../../start-hydrant.ts'
import { type OidcServer, passProvider } from '../../start-oidc.ts'
import { totpCode } from '../../totp-code.ts'
import { expectNoBarriersWhenLong } from '../find-barriers.ts'
import { mailedLink } from '../mailed-link.ts'
import { openVisits, type Visits } from '../open-visits.ts'
import { type SignInScene, submitPassword } from './sign-in-scene.ts'

export function testSignIn(scene: () => SignInScene): void {
  describe('sign-in', () => {
    let hydrant: Hydrant
    let browser: Browser
    let smtp: Smtp
    let oidc: OidcServer
    let proxy: string
    beforeAll(async () => {
      ;({ hydrant, browser, smtp, oidc, proxy } = scene())
      smtp.mails.length = 0
      visits = openVisits(browser)
      // The test in which he changes it is long.
      const password = isLong ? 'bobs old horse' : 'bobs new horse'
      await hydrant.cli('user', 'add', '--email', 'bob@example.com', '--role', 'member', '--password', password)
    })

    let visits: Visits
    const newPage = (): Promise<Page> => visits.begin()

    const signOut = async (page: Page): Promise<void> => {
      await page.goto(`${hydrant.url}/acme/settings`)
      await page.getByRole('button', { name: 'Sign out' }).last().click()
      await page.waitForURL('**/login')
    }

    async function submitCode(page: Page, code: string): Promise<void> {
      await page.getByLabel(/code/i).first().fill(code)
      await page.getByRole('button', { name: 'Continue' }).click()
    }

    longTest('a link from the terminal signs in once, and replaces a forgotten password', async () => {
      const link = (await hydrant.cli('login-link', 'ada@example.com')).trim()
      const page = await newPage()
      await page.goto(link)
      await page.getByText('ada@example.com').waitFor()
      await expectNoBarriersWhenLong(page)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL('**/acme/**')
      await page.goto(`${hydrant.url}/account`)
      await page.getByLabel('New password').fill('correct horse')
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.getByText('Password changed.').waitFor()
      await page.goto(link)
      await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
      await visits.end(page)
    })

    const linkTo = (address: string, path: string): Promise<string> => mailedLink(smtp, address, path)

    longTest('who forgot the password gets a link by mail, and nobody learns who has an account', async () => {
      const page = await newPage()
      for (const email of ['nobody@example.com', 'bob@example.com']) {
        await page.goto(`${hydrant.url}/login`)
        await page.getByRole('link', { name: 'Forgot your password? Get a link by email' }).click()
        await page.getByRole('heading', { name: 'Sign in by email' }).waitFor()
        await expectNoBarriersWhenLong(page)
        await page.getByLabel('Email').fill(email)
        await page.getByRole('button', { name: 'Send link' }).click()
        await page.getByText('If this address has an account, a link is on its way.').waitFor()
      }
      const link = await linkTo('bob@example.com', 'login/link')
      expect(smtp.mails.map(({ to }) => to)).toEqual(['bob@example.com'])
      await page.goto(link)
      await page.getByText('bob@example.com').waitFor()
      await page.getByText('Choose a new password').click()
      await expectNoBarriersWhenLong(page)
      await page.getByLabel('New password').fill('password1')
      await page.getByRole('button', { name: 'Set password and sign in' }).click()
      await page.getByText('This password is among the first').waitFor()
      await page.getByLabel('New password').fill('bobs old horse')
      await page.getByRole('button', { name: 'Set password and sign in' }).click()
      await page.waitForURL('**/acme/**')
      await signOut(page)
      await page.goto(link)
      await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
      await visits.end(page)
    })

    longTest('an invitation by email arrives, and says who invites', async () => {
      const page = await newPage()
      await submitPassword(page, hydrant.url, 'ada@example.com', 'correct horse')
      await page.waitForURL('**/acme/**')
      await page.goto(`${hydrant.url}/acme/settings/members`)
      await page.getByLabel('Email, optional').fill('dora@example.com')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByText('Invitation mailed to dora@example.com.').waitFor()
      const link = await linkTo('dora@example.com', 'invite')
      expect(smtp.mails.at(-1)?.headers.get('subject')).toBe('ada invites you to acme on Hydrant')
      await page.context().clearCookies()
      await page.goto(link)
      await page.getByText('ada invites you as member.').waitFor()
      smtp.rejected.set('erin@example.com', 550)
      await submitPassword(page, hydrant.url, 'ada@example.com', 'correct horse')
      await page.waitForURL('**/acme/**')
      await page.goto(`${hydrant.url}/acme/settings/members`)
      await page.getByLabel('Email, optional').fill('erin@example.com')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByText('the mail was not accepted').waitFor()
      expect(await page.getByLabel('Invitation link').inputValue()).toMatch(/\/invite\/[\w-]{43}$/)
      await visits.end(page)
    })

    longTest(
      'a member changes the password, which ends the other sessions, and sees where they are signed in',
      async () => {
        const [here, there] = [await newPage(), await newPage()]
        for (const page of [here, there]) {
          await submitPassword(page, hydrant.url, 'bob@example.com', 'bobs old horse')
          await page.waitForURL('**/acme/**')
        }
        await here.goto(`${hydrant.url}/account`)
        const sessions = here.getByRole('region', { name: 'Sessions' })
        await sessions.getByText('this session').waitFor()
        expect(await sessions.getByRole('row').count()).toBe(3)
        expect(await sessions.getByRole('row').nth(1).textContent()).toMatch(/Chrome.* on Linux\s*(127\.0\.0\.1|::1)/)

        const change = async (current: string, next: string) => {
          await here.getByLabel('Present password').fill(current)
          await here.getByLabel('New password').fill(next)
          await here.getByRole('button', { name: 'Change password' }).click()
        }
        await change('not his horse', 'bobs new horse')
        await here.getByText('Wrong password.').first().waitFor()
        if (isLong) {
          await change('bobs old horse', 'P4ssw0rd!23')
          await here.getByText('This password is among the first').first().waitFor()
        }
        await change('bobs old horse', 'bobs new horse')
        await here.getByText('Password changed.').waitFor()
        await there.reload()
        await there.getByRole('heading', { name: 'Sign in to Hydrant' }).waitFor()
        await submitPassword(there, hydrant.url, 'bob@example.com', 'bobs old horse')
        await there.getByText('Wrong email or password.').waitFor()
        await submitPassword(there, hydrant.url, 'bob@example.com', 'bobs new horse')
        await there.waitForURL('**/acme/**')

        await here.reload()
        await sessions.getByRole('button', { name: 'End session' }).click()
        await here.getByText('Session ended.').waitFor()
        await there.reload()
        await there.getByRole('heading', { name: 'Sign in to Hydrant' }).waitFor()
        await visits.end(here, there)
      },
    )

    let ada: Page
    let adaKey = ''
    let recoveryCodes: string[] = []

    longTest('an authenticator app is added with a QR code, and asked for after the password', async () => {
      ada = await newPage()
      await submitPassword(ada, hydrant.url, 'ada@example.com', 'correct horse')
      await ada.waitForURL('**/acme/**')
      await ada.goto(`${hydrant.url}/account`)
      await ada.getByLabel('Your password').fill('correct horse')
      await ada.getByRole('button', { name: 'Add authenticator app' }).click()
      await ada.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
      await expectNoBarriersWhenLong(ada)
      adaKey = await ada
        .locator('p:has-text("Can’t scan?") code')
        .textContent()
        .then(text => text ?? '')
      await ada.getByLabel('Code from the app').fill('000000')
      await ada.getByRole('button', { name: 'Switch on' }).click()
      await ada.getByText('Wrong code.').waitFor()
      await ada.getByLabel('Code from the app').fill(totpCode(adaKey))
      await ada.getByRole('button', { name: 'Switch on' }).click()
      const codes = ada.getByRole('list', { name: 'Recovery codes' })
      await codes.waitFor()
      recoveryCodes = await codes.getByRole('listitem').allTextContents()
      expect(new Set(recoveryCodes).size).toBe(10)
      await ada.getByRole('link', { name: 'I have saved them' }).click()
      await ada.getByText('10 recovery codes are left.').waitFor()

      await signOut(ada)
      await submitPassword(ada, hydrant.url, 'ada@example.com', 'correct horse')
      await ada.waitForURL('**/login/two-factor')
      await ada.getByRole('heading', { name: 'Enter your code' }).waitFor()
      await expectNoBarriersWhenLong(ada)
      // The password alone opens nothing.
      expect((await ada.request.get(`${hydrant.url}/acme/issues`)).status()).toBe(401)
      await submitCode(ada, '000000')
      await ada.getByText('Wrong code.').waitFor()
      // The code that switched the app on is spent; that of the next half minute is valid already.
      await submitCode(ada, totpCode(adaKey, Date.now() + 30_000))
      await ada.waitForURL('**/acme/**')
    })

    longTest('a recovery code signs in once', async () => {
      const page = await newPage()
      const enter = async (code: string) => {
        await submitPassword(page, hydrant.url, 'ada@example.com', 'correct horse')
        await page.getByRole('link', { name: 'Use a recovery code' }).click()
        await page.getByRole('heading', { name: 'Enter a recovery code' }).waitFor()
        await submitCode(page, code)
      }
      await enter(recoveryCodes[0] ?? '')
      await page.waitForURL('**/acme/**')
      await page.goto(`${hydrant.url}/account`)
      await page.getByText('9 recovery codes are left.').waitFor()
      await signOut(page)
      await enter(recoveryCodes[0] ?? '')
      await page.getByText('Wrong code.').waitFor()
      await visits.end(page)
    })

    async function signInWithSso(login: string): Promise<Page> {
      const page = await newPage()
      await page.goto(`${hydrant.url}/acme/projects`)
      await page.getByRole('link', { name: 'Continue with Acme SSO' }).click()
      await passProvider(page, login)
      return page
    }

    test('an identity provider signs people in, and their groups decide what they may do', async () => {
      if (isLong) {
        const page = await newPage()
        await page.goto(`${hydrant.url}/login`)
        await page.getByRole('link', { name: 'Continue with Acme SSO' }).click()
        await page.getByText('The identity provider doesn’t answer.').waitFor()
        await visits.end(page)
      }
      await oidc.open(`${hydrant.url}/api/auth/callback/oidc`)
      const person = { email_verified: true, groups: [] as string[] }
      oidc.people.set('carol', { ...person, email: 'carol@example.com', name: 'Carol', groups: ['dev'] })
      oidc.people.set('stranger', { ...person, email: 'stranger@example.com', name: 'Stranger' })
      oidc.people.set('mallory', { email: 'ada@example.com', email_verified: false, name: 'Mallory', groups: ['ops'] })

      const carol = await signInWithSso('carol')
      await carol.waitForURL('**/acme/projects')
      expect(await hydrant.cli('user', 'list')).toMatch(/carol@example\.com\tacme\tmember\tCarol/)
      if (!isLong) return visits.end(carol)

      await carol.goto(`${hydrant.url}/account`)
      await carol.getByRole('region', { name: 'Sessions' }).getByText('single sign-on').waitFor()

      for (const [login, fault] of [
        ['mallory', 'An account with your email address exists'],
        ['stranger', 'You are in none of the groups'],
      ] as const) {
        const refused = await signInWithSso(login)
        await refused.getByText(fault).waitFor()
        await visits.end(refused)
      }
      expect(await hydrant.cli('user', 'list')).not.toMatch(/stranger|Mallory/)

      // The groups count at each sign-in: without one, the membership and all sessions end.
      oidc.people.set('carol', { ...person, email: 'carol@example.com', name: 'Carol' })
      const again = await signInWithSso('carol')
      await again.getByText('You are in none of the groups').waitFor()
      expect(await hydrant.cli('user', 'list')).toMatch(/carol@example\.com\t-\t-/)
      await carol.reload()
      await carol.getByRole('heading', { name: 'Sign in to Hydrant' }).waitFor()
      await visits.end(carol, again)
    })

    test('a trusted proxy signs members in by its header, and from anybody else the header counts nothing', async () => {
      const { host, port } = new URL(hydrant.url)
      const ask = (from: string, path: string, headers: Record<string, string>): Promise<IncomingMessage> =>
        new Promise((resolve, reject) => {
          const options = { host: '127.0.0.1', port, localAddress: from, path, headers: { host, ...headers } }
          request(options, response => resolve(response.resume()))
            .on('error', reject)
            .end()
        })
      const bob = { 'remote-email': 'bob@example.com' }
      const forged = { ...bob, 'x-forwarded-for': proxy }
      expect((await ask('127.0.0.1', '/acme/projects', forged)).statusCode).toBe(401)
      expect((await ask('127.0.0.1', '/login/proxy', forged)).statusCode).toBe(404)

      const unknown = await ask(proxy, '/login/proxy', { 'remote-email': 'nobody@example.com' })
      expect(unknown.headers.location).toContain('/login?error=proxy_unknown')
      expect(unknown.headers['set-cookie']).toBeUndefined()

      const begun = await ask(proxy, '/login/proxy?next=/acme/projects', bob)
      expect(begun.headers.location).toMatch(/\/acme\/projects$/)
      let cookie = (begun.headers['set-cookie'] ?? []).map(each => each.split(';')[0]).join('; ')
      const statusOf = async (from: string, headers: Record<string, string>) =>
        (await ask(from, '/acme/projects', { cookie, ...headers })).statusCode
      expect(await statusOf(proxy, bob)).toBe(200)
      // The header proves the address of an account that someone else may have created.
      const control = openControl({ dataDir: hydrant.dataDir })
      await control.db
        .updateTable('user')
        .set({ emailVerified: sql`false` })
        .where('email', '=', 'bob@example.com')
        .execute()
      await control.close()
      const proven = await ask(proxy, '/login/proxy?next=/acme/projects', bob)
      expect(proven.headers.location).toMatch(/\/login\/ended\?next=%2Facme%2Fprojects$/)
      // The old session has ended, so the proxy would sign him in again.
      expect(await statusOf(proxy, bob)).toBe(307)
      cookie = (proven.headers['set-cookie'] ?? []).map(each => each.split(';')[0]).join('; ')
      expect(await statusOf(proxy, bob)).toBe(200)
      if (!isLong) {
        expect(await statusOf(proxy, {})).toBe(401)
        return expect(await statusOf('127.0.0.1', bob)).toBe(401)
      }
      const page = await newPage()
      await submitPassword(page, hydrant.url, 'bob@example.com', 'bobs new horse')
      await page.getByText('Wrong email or password.').waitFor()
      await page.goto((await hydrant.cli('login-link', 'bob@example.com')).trim())
      await page.getByText('Choose a new password').click()
      await page.getByLabel('New password').fill('bobs new horse')
      await page.getByRole('button', { name: 'Set password and sign in' }).click()
      await page.getByRole('heading', { name: 'Your address is verified' }).waitFor()
      await visits.end(page)
      const again = await ask(proxy, '/login/proxy?next=/acme/projects', bob)
      expect(again.headers.location).toMatch(/\/acme\/projects$/)
      cookie = (again.headers['set-cookie'] ?? []).map(each => each.split(';')[0]).join('; ')
      // The session is worth as much as the header that came with it.
      expect(await statusOf(proxy, {})).toBe(401)
      expect(await statusOf('127.0.0.1', bob)).toBe(401)
    })

    /** An authenticator in the browser, as a laptop with a fingerprint reader has one. */
    async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
      const devtools = await context.newCDPSession(page)
      await devtools.send('WebAuthn.enable')
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
          ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
        },
      })
    }

    /** By command, for a new member, because factors don't exist yet. In the long run Ada does it on the page, for Bob. */
    async function requireFactor(): Promise<void> {
      await hydrant.cli('user', 'add', '--email', 'eva@example.com', '--role', 'member', '--password', 'evas new horse')
      const control = openControl({ dataDir: hydrant.dataDir })
      await control.db.updateTable('organization').set({ two_factor_from: Date.now() }).execute()
      await control.close()
    }

    test('an organization requires a second factor, and a passkey is one', async () => {
      if (isLong) {
        await ada.goto(`${hydrant.url}/acme/settings`)
        await ada.getByRole('button', { name: 'Require now' }).click()
        await ada.getByText('Members need a second factor from now on.').waitFor()
      } else await requireFactor()

      const context = await browser.newContext()
      const bob = await context.newPage()
      await addAuthenticator(context, bob)
      const [email, password] = isLong ? ['bob@example.com', 'bobs new horse'] : ['eva@example.com', 'evas new horse']
      await submitPassword(bob, hydrant.url, email, password)
      await bob.getByRole('heading', { name: 'Add a second factor' }).waitFor()
      await expectNoBarriersWhenLong(bob)
      expect((await bob.request.get(`${hydrant.url}/api/palette?org=acme&q=web`)).status()).toBe(403)
      await bob.getByRole('button', { name: 'Add passkey' }).click()
      await bob.waitForURL('**/acme/**')

      await signOut(bob)
      await bob.getByRole('button', { name: 'Use a passkey' }).waitFor()
      await expectNoBarriersWhenLong(bob)
      await bob.getByRole('button', { name: 'Use a passkey' }).click()
      await bob.waitForURL('**/acme/**')
      await bob.goto(`${hydrant.url}/account`)
      const keys = bob.getByRole('region', { name: 'Passkeys' })
      await keys.getByText('Chrome').first().waitFor()
      await bob.getByRole('region', { name: 'Sessions' }).getByText('passkey').first().waitFor()

      if (!isLong) return context.close()

      // A password is not enough any more, and the passkey he has is asked for.
      await signOut(bob)
      await submitPassword(bob, hydrant.url, 'bob@example.com', 'bobs new horse')
      await bob.getByRole('heading', { name: 'Use your passkey' }).waitFor()
      await bob.getByRole('button', { name: 'Use a passkey' }).click()
      await bob.waitForURL('**/acme/**')
      await context.close()
    })
  })
}
