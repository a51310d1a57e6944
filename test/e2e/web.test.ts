/** The first run in a real browser: from an empty server to the first event, and sign-in. */

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, startHydrant } from '../start-hydrant.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { withoutTable } from './without-table.ts'

let hydrant: Hydrant
let browser: Browser
let context: BrowserContext
let page: Page
const faults: string[] = []

beforeAll(async () => {
  hydrant = await startHydrant({ env: { HYDRANT_SELF_REPORT: 'on' } })
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  // The content security policy must not block the page's own scripts and styles.
  page.on(
    'console',
    message => void (message.text().includes('Content Security Policy') && faults.push(message.text())),
  )
  page.on('pageerror', error => void faults.push(error.message))
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const send = (dsn: string, value: string) => {
  const { username, pathname } = new URL(dsn)
  const body = JSON.stringify({ exception: { values: [{ type: 'Error', value }] } })
  return fetch(`${hydrant.url}/api${pathname}/store/?sentry_key=${username}`, { method: 'POST', body })
}

test('setup creates owner, organization and project in one form, and is not found afterwards', async () => {
  await page.goto(hydrant.url)
  expect(page.url()).toBe(`${hydrant.url}/setup`)
  expect(await page.getByLabel('Setup code').isVisible()).toBe(true)
  await page.goto(await hydrant.setupUrl())
  expect(await page.getByLabel('Setup code').count()).toBe(0)
  await page.fill('#name', 'Ada Lovelace')
  await page.fill('#email', 'ada@example.com')
  await page.fill('#password', 'correct horse')
  await page.fill('#organization', '!!!')
  await page.click('button[type=submit]')
  await page.getByText('Use 1 to 50 lowercase letters').waitFor()
  expect(await page.inputValue('#email')).toBe('ada@example.com')
  await page.fill('#password', 'correct horse')
  await page.fill('#organization', 'Acme')
  await page.click('button[type=submit]')
  await page.waitForURL('**/acme/projects/web')
  expect((await page.request.get(`${hydrant.url}/setup`)).status()).toBe(404)
})

test('without any data, every page renders without a failed panel', async () => {
  const sections = ['issues', 'traces', 'routes', 'releases', 'projects', 'settings', 'settings/tokens']
  for (const path of [...sections, 'projects/web', 'projects/web/filters']) {
    const load = async () => {
      const page = await context.request.get(`${hydrant.url}/acme/${path}`)
      return [path, page.status(), (await page.text()).includes('could not be loaded')]
    }
    // The engine may still be starting.
    await expect.poll(load).toEqual([path, 200, false])
  }
})

test('the project page updates when the first event arrives, and links to it', async () => {
  await page.getByText('Waiting for the first event').waitFor()
  const dsn = (await page.textContent('.copy .cut')) ?? ''
  expect((await send(dsn, 'first light')).status).toBe(200)
  await page.getByText('Events are arriving').waitFor()
  await page.getByRole('link', { name: /first light/ }).click()
  await page.waitForURL('**/acme/issues/*')
  await page.getByRole('heading', { level: 1, name: /first light/ }).waitFor()
})

longTest('new issues are announced in every tab over one stream', async () => {
  const streams: string[] = []
  context.on('request', request => void (request.url().includes('/api/live') && streams.push(request.url())))
  await page.goto(`${hydrant.url}/acme/issues`)
  const other = await context.newPage()
  await other.goto(`${hydrant.url}/acme/issues`)
  const dsn = `${hydrant.url.replace('//', `//${await publicKey()}@`)}/1`
  await send(dsn, 'second light')
  await page.getByRole('button', { name: 'Show 1 new issue' }).waitFor()
  await other.getByRole('button', { name: 'Show 1 new issue' }).waitFor()
  expect(streams.length).toBe(1)
  expect(await page.getByText('second light').count()).toBe(0)
  await page.getByRole('button', { name: 'Show 1 new issue' }).click()
  await page.getByText('second light').waitFor()
  await other.close()
})

test('a signed-out user sees the sign-in form and then the requested page', async () => {
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.waitForURL('**/login')
  const response = await page.goto(`${hydrant.url}/acme/settings`)
  expect(response?.status()).toBe(401)
  await page.fill('#email', 'ada@example.com')
  await page.fill('#password', 'wrong horse')
  await page.click('button[type=submit]')
  await page.getByText('Wrong email or password.').waitFor()
  await page.fill('#password', 'correct horse')
  await page.click('button[type=submit]')
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  expect(page.url()).toBe(`${hydrant.url}/acme/settings`)
})

longTest('a key can be disabled and enabled without JavaScript', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() })
  const still = await plain.newPage()
  await still.goto(`${hydrant.url}/acme/settings`)
  await still.getByRole('button', { name: 'Disable' }).first().click()
  const query = still.getByRole('dialog', { name: /^Disable key/ })
  await query.getByText('Events sent with it are rejected').waitFor()
  await query.getByRole('button', { name: 'Cancel' }).click()
  expect(await still.getByRole('button', { name: 'Enable' }).count()).toBe(0)
  await still.getByRole('button', { name: 'Disable' }).first().click()
  await query.getByRole('button', { name: 'Disable key' }).click()
  await still.getByText('Key disabled. Events sent with it are rejected.').waitFor()
  await still.getByRole('button', { name: 'Undo' }).click()
  await still.getByText('Key enabled.').waitFor()
  expect(await still.getByRole('button', { name: 'Enable' }).count()).toBe(0)
  await still.goto(`${hydrant.url}/acme/issues`)
  expect(await still.getByText('second light').isVisible()).toBe(true)
  await plain.close()
})

longTest('deleting a team and revoking a token need confirmation', async () => {
  await page.goto(`${hydrant.url}/acme/settings/members`)
  await hydrated(page)
  await page.getByLabel('Team name').fill('Payments')
  await page.getByRole('button', { name: 'Add team' }).click()
  await page.getByRole('button', { name: 'Delete team #payments' }).click()
  const aboutTeam = page.getByRole('dialog', { name: 'Delete team #payments?' })
  await expectNoBarriersWhenLong(page, { within: '.ask:popover-open' })
  await aboutTeam.getByRole('button', { name: 'Delete team' }).click()
  await page.getByText('Team deleted.').waitFor()
  await page.getByText('#payments').first().waitFor({ state: 'detached' })
  await page.goto(`${hydrant.url}/acme/settings/tokens`)
  await hydrated(page)
  await page.getByLabel('Name', { exact: true }).fill('nightly')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('button', { name: 'Revoke nightly' }).click()
  const aboutToken = page.getByRole('dialog', { name: 'Revoke token nightly?' })
  await aboutToken.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('Token revoked.').waitFor()
  await page.getByText('No tokens yet').waitFor()
})

test('errors of Hydrant’s own pages become issues of its internal project, and a page that fails says so and offers a retry', async () => {
  await page.goto(`${hydrant.url}/acme/projects`)
  await hydrated(page)
  await page.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('a button of ours broke')
      }),
  )
  await expect.poll(() => faults).toEqual(['a button of ours broke'])
  await page.evaluate(() => {
    const startsWith = String.prototype.startsWith
    String.prototype.startsWith = function (this: string, ...args) {
      if (args[0] === '/acme/projects/') throw new Error('a rail of ours broke')
      return startsWith.apply(this, args)
    }
    // In the same task, because a re-render would fail before the link is found.
    document.querySelector<HTMLElement>('a[href="/acme/settings"]')?.click()
  })
  await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
  await page.getByText('The error was reported to Hydrant’s own project.').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(true)
  const list = `${hydrant.url}/acme/issues?project=hydrant`
  const listed = async () => {
    const html = await (await page.request.get(list)).text()
    return ['a button of ours broke', 'a rail of ours broke'].filter(title => html.includes(title))
  }
  await expect.poll(listed).toHaveLength(2)
})

test('when the outermost layout fails on the server, the page shows a reference', async () => {
  await withoutTable(hydrant, 'project_key', async () => {
    expect((await page.goto(`${hydrant.url}/login`))?.status()).toBe(500)
    await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
    await page.getByText(/Reference: \d+/).waitFor()
  })
})

longTest('axe finds nothing on a page with the narrow rail', async () => {
  // every-page.test.ts checks the other widths, themes and pages.
  await page.setViewportSize({ width: 900, height: 900 })
  for (const path of ['/acme/issues', '/acme/settings']) {
    await page.goto(hydrant.url + path)
    await expectNoBarriersWhenLong(page, { look: 'layout' })
    const contentWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(contentWidth, `${path} scrolls sideways`).toBeLessThanOrEqual(900)
  }
})

async function publicKey(): Promise<string> {
  const html = await (await page.request.get(`${hydrant.url}/acme/projects/web`)).text()
  return /class="cut">[^<]*\/\/([0-9a-f]{32})@/.exec(html)?.[1] ?? ''
}
