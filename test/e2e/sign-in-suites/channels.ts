/** Channels in a real browser: add, test, repair, send again, unsubscribe. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openControl } from '#store/control/open-control.ts'
import { type Receiver, startReceiver } from '../../channels/start-receiver.ts'
import type { Smtp } from '../../channels/start-smtp.ts'
import { isLong, longTest } from '../../long.ts'
import { type Hydrant, until } from '../../start-hydrant.ts'
import { signIn } from '../ada.ts'
import { findBarriers } from '../find-barriers.ts'
import { hydrated } from '../hydrated.ts'
import type { SignInScene } from './sign-in-scene.ts'

export function testChannels(scene: () => SignInScene): void {
  describe('channels', () => {
    let receiver: Receiver
    let smtp: Smtp
    let hydrant: Hydrant
    let browser: Browser
    let page: Page

    beforeAll(async () => {
      ;({ hydrant, browser, smtp } = scene())
      receiver = await startReceiver()
      page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
      await signIn(page, hydrant.url)
    })
    afterAll(async () => {
      await page?.context().close()
      await receiver?.stop()
    })

    const at = (path: string) => `${hydrant.url}${path}`
    const heading = (name: string) => page.getByRole('heading', { name, exact: true })

    /** Accessible and without sideways scrolling, light and dark, wide and narrow. */
    async function expectSound(): Promise<void> {
      if (!isLong) return // every-page.test.ts checks forms and tables
      for (const [colorScheme, width] of [
        ['light', 1440],
        ['dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        expect(await findBarriers(page), colorScheme).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      }
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1440, height: 900 })
    }

    test('a webhook is added, shows its secret once, and a test shows the answer', async () => {
      await page.goto(at(isLong ? '/acme/settings' : '/acme/settings/channels/new'))
      if (isLong) {
        await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Channels' }).click()
        await heading('No channels yet').waitFor()
        await page.getByRole('link', { name: 'Add channel' }).click()
      }
      await heading('Where should alerts go?').waitFor()
      await expectSound()
      await page.getByRole('link', { name: 'Webhook A signed POST' }).click()
      await heading('Webhook').waitFor()
      await hydrated(page)
      await page.getByLabel('Name').fill('hook')
      await page.getByLabel('URL').fill('http://169.254.169.254/latest')
      await page.getByRole('button', { name: 'Create channel' }).click()
      await page.getByRole('alert').filter({ hasText: 'not on the public internet' }).waitFor()
      await page.getByLabel('URL').fill(`${receiver.url}/hook`)
      await page.getByRole('button', { name: 'Create channel' }).click()
      await page.getByText('It can’t be shown again.').waitFor()
      expect(await page.getByLabel('Signing secret', { exact: true }).inputValue()).toMatch(/^whsec_/)

      await page.goto(at('/acme/settings/channels'))
      await hydrated(page)
      await page.getByRole('button', { name: 'Send a test to hook' }).click()
      await heading('Test of hook').waitFor()
      await page.getByText('Webhook accepted the message').waitFor()
      await page.getByText('200 ok').first().waitFor()
      expect(receiver.received.map(({ url }) => url)).toEqual(['/hook'])
      expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/)
      await expectSound()
    })

    longTest('a failing test shows what the server said', async () => {
      receiver.answers.push({ status: 500, body: 'out of order' })
      await page.goto(at('/acme/settings/channels'))
      await hydrated(page)
      await page.getByRole('button', { name: 'Send a test to hook' }).click()
      await page.getByText('Webhook did not accept the message').waitFor()
      await page.getByText('500 out of order').first().waitFor()
      await page.goto(at('/acme/settings/channels'))
      await page.getByRole('cell', { name: '500 out of order' }).waitFor()
      await expectSound()
      const href = await page.getByRole('link', { name: 'Export' }).getAttribute('href')
      const exported = await (await page.request.get(at(href ?? ''))).text()
      const lines = exported
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as object)
      expect(lines).toMatchObject([
        { channel: 'hook', kind: 'webhook', outcome: 'sent', status: 200 },
        { channel: 'hook', kind: 'webhook', outcome: 'retry', status: 500, response: 'out of order' },
      ])
    })

    longTest('a dead message is sent again', async () => {
      const control = openControl({ dataDir: hydrant.dataDir })
      const channel = await control.db.selectFrom('channel').selectAll().executeTakeFirstOrThrow()
      const id = '0199a8f2-77c1-7000-8000-00000000dead'
      const message = {
        own: 'channel-disabled',
        channelId: channel.id,
        name: 'some other',
        kind: 'slack',
        reason: '410 Gone',
      }
      const row = { id, organization_id: channel.organization_id, channel_id: channel.id, key: 'dead' }
      await control.db
        .insertInto('outbox')
        .values({
          ...{ ...row, message: JSON.stringify(message), state: 'dead', attempts: 8, last_error: 'timeout' },
          ...{ not_before: 0, created_at: Date.now() },
        })
        .execute()
      await control.close()
      await page.goto(at(`/acme/settings/channels/${channel.id}`))
      await hydrated(page)
      await page.getByRole('button', { name: 'Send again A channel was switched off' }).click()
      await page.getByText('1 message is sent again.').waitFor()
      await until(async () => receiver.received.some(received => received.id === id))
      await page.reload()
      await page.getByRole('cell', { name: 'Channel some other was switched off' }).waitFor()
      await expectSound()
    })

    longTest('mail has a link that unsubscribes after a click, and a one-click address for mail clients', async () => {
      await page.goto(at('/acme/settings/channels/new?kind=email'))
      await hydrated(page)
      await page.getByLabel('Name').fill('post')
      await page.getByLabel('Recipients').fill('members')
      await page.getByRole('button', { name: 'Create channel' }).click()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByText('Email accepted the message').waitFor()
      expect(smtp.mails.map(({ to }) => to)).toEqual(['ada@example.com'])
      const oneClick = /^<(.+)>$/.exec(smtp.mails[0]?.headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
      const token = oneClick.split('/').at(-1) ?? ''

      // Signed out: the link itself is the proof. Opening it changes nothing, whoever or whatever opens it.
      const guest = await (await browser.newContext()).newPage()
      await guest.goto(oneClick)
      await guest.getByRole('heading', { name: 'Unsubscribe from alerts?' }).waitFor()
      await guest.reload()
      await hydrated(guest)
      await guest.getByRole('button', { name: 'Unsubscribe' }).click()
      await guest.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
      await guest.getByRole('button', { name: 'Subscribe again' }).click()
      await guest.getByRole('heading', { name: 'Unsubscribe from alerts?' }).waitFor()
      await guest.context().close()

      const post = (link: string) =>
        fetch(at(`/api/unsubscribe/${link}`), {
          method: 'POST',
          body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
        })
      expect((await post(`${token.slice(0, -2)}xx`)).status).toBe(404)
      expect((await post(token)).status).toBe(200)
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByText('no recipient is left').first().waitFor()
      expect(smtp.mails).toHaveLength(1)
    })
  })
}
