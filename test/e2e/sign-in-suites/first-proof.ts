/** A stranger makes an account for an address, and its owner takes it over, in browsers and with real mail. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect } from 'vitest'
import type { Smtp } from '../../channels/start-smtp.ts'
import { longTest } from '../../long.ts'
import type { Hydrant } from '../../start-hydrant.ts'
import { signIn } from '../ada.ts'
import { expectNoBarriersWhenLong } from '../find-barriers.ts'
import { mailedLink } from '../mailed-link.ts'
import { openVisits, type Visits } from '../open-visits.ts'
import { type SignInScene, submitPassword } from './sign-in-scene.ts'

export function testFirstProof(scene: () => SignInScene): void {
  describe('the first proof of an address', () => {
    let hydrant: Hydrant
    let smtp: Smtp
    beforeAll(() => {
      ;({ hydrant, smtp } = scene())
      visits = openVisits(scene().browser)
    })

    let visits: Visits
    const newPage = (): Promise<Page> => visits.begin()

    async function invite(owner: Page, email: string): Promise<string> {
      await owner.goto(`${hydrant.url}/acme/settings/members`)
      await owner.getByLabel('Email, optional').fill(email)
      await owner.getByRole('button', { name: 'Invite', exact: true }).click()
      await owner.getByText(`Invitation mailed to ${email}.`).waitFor()
      return owner.getByLabel('Invitation link').inputValue()
    }

    async function join(page: Page, link: string, password: string): Promise<void> {
      await page.goto(link)
      await page.getByLabel('Your name').fill('Fay')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Create account and join' }).click()
    }

    longTest(
      'a stranger who made an account for an address loses access once the owner of the address signs in by mail',
      async () => {
        const owner = await newPage()
        await signIn(owner, hydrant.url)
        // The inviter sees the invitation link, and anyone who has it can create the account.
        const maker = await newPage()
        await join(maker, await invite(owner, 'fay@example.com'), 'chosen by somebody else')
        await maker.waitForURL('**/acme/**')

        const fay = await newPage()
        await fay.goto(`${hydrant.url}/login/mail`)
        await fay.getByLabel('Email').fill('fay@example.com')
        await fay.getByRole('button', { name: 'Send link' }).click()
        await fay.getByText('a link is on its way').waitFor()
        await fay.goto(await mailedLink(smtp, 'fay@example.com', 'login/link'))
        await fay.getByText('ends all earlier access to the account: the password and 1 session.').waitFor()
        await expectNoBarriersWhenLong(fay)
        await fay.getByRole('button', { name: 'Sign in', exact: true }).click()
        await fay.getByRole('heading', { name: 'Your address is verified' }).waitFor()
        await fay.getByText('all earlier access to it has ended: the password and 1 session.').waitFor()
        await expectNoBarriersWhenLong(fay)
        await fay.getByLabel('New password').fill('chosen by fay herself')
        await fay.getByRole('button', { name: 'Set password' }).click()
        await fay.getByRole('link', { name: 'Continue', exact: true }).click()
        await fay.waitForURL('**/acme/**')

        await maker.reload()
        await maker.getByRole('heading', { name: 'Sign in to Hydrant' }).waitFor()
        await submitPassword(maker, hydrant.url, 'fay@example.com', 'chosen by somebody else')
        await maker.getByText('Wrong email or password.').waitFor()
        await submitPassword(maker, hydrant.url, 'fay@example.com', 'chosen by fay herself')
        await maker.waitForURL('**/acme/**')

        await visits.end(owner, maker, fay)
      },
    )

    longTest(
      'an account that is made with the link in the mail is verified, and a later link ends nothing',
      async () => {
        const owner = await newPage()
        await signIn(owner, hydrant.url)
        await invite(owner, 'gil@example.com')
        const gil = await newPage()
        await join(gil, await mailedLink(smtp, 'gil@example.com', 'invite'), 'chosen by gil himself')
        await gil.waitForURL('**/acme/**')
        await gil.context().clearCookies()
        await gil.goto(`${hydrant.url}${new URL((await hydrant.cli('login-link', 'gil@example.com')).trim()).pathname}`)
        await gil.getByText('gil@example.com').waitFor()
        expect(await gil.getByText('ends all earlier access').count()).toBe(0)
        await gil.getByRole('button', { name: 'Sign in', exact: true }).click()
        await gil.waitForURL('**/acme/**')
        await visits.end(owner, gil)
      },
    )
  })
}
