/** Reads without a connection, sessions that have ended, and tabs that are older than the server: the current page stays usable. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { copyAsNewBuild, type NewBuild } from '../copy-as-new-build.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type CutProxy, startCutProxy } from '../start-cut-proxy.ts'
import { type Hydrant, startHydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { withoutTable } from './without-table.ts'

let hydrant: Hydrant
/** In the last two tests. */
let newer: Hydrant | null = null
let build: NewBuild | null = null
let proxy: CutProxy
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  hydrant = isLong ? await startHydrant() : await borrowHydrant() // the long run replaces it by a newer one
  proxy = await startCutProxy(hydrant.url)
  const { dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  const { username, pathname } = new URL(dsn)
  const body = JSON.stringify({ exception: { values: [{ type: 'LostFailure', value: 'went wrong' }] } })
  const address = `${hydrant.url}/api${pathname}/store/?sentry_key=${username}`
  expect((await fetch(address, { method: 'POST', body })).status).toBe(200)
  await hydrant.drained()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await signIn(page, proxy.url)
})
afterAll(async () => {
  await browser?.close()
  await proxy?.stop()
  await newer?.kill()
  build?.remove()
  await hydrant?.stop()
})

const note = (text: string) => page.locator('.toasts.lost').getByText(text)
const comment = () => page.getByRole('textbox', { name: 'Comment', exact: true })
async function open(path: string): Promise<void> {
  await page.goto(`${proxy.url}${path}`)
  await hydrated(page)
}
function inControl<Result>(work: (control: Database.Database) => Result): Result {
  const control = new Database(join(hydrant.dataDir, 'control.db'))
  try {
    return work(control)
  } finally {
    control.close()
  }
}
const countComments = () =>
  inControl(control =>
    control.prepare<[], { n: number }>("SELECT count(*) AS n FROM issue_activity WHERE kind = 'comment'").get(),
  )?.n

const cuts: [string, () => Promise<void>, () => Promise<void>][] = [
  [
    'every connection is refused',
    async () => proxy.passTo('http://127.0.0.1:9'),
    async () => proxy.passTo(hydrant.url),
  ],
  // Two other tests do that to the palette and to a form.
  ['a proxy answers 503', async () => proxy.cut('503'), async () => proxy.cut('none')],
  ['the network is cut', () => context.setOffline(true), () => context.setOffline(false)],
]
test.each(cuts.slice(0, isLong ? 3 : 1))(
  'while %s, a click leaves the page as it is, and arrives by itself afterwards',
  async (_, cut, mend) => {
    await open('/acme/issues')
    await cut()
    await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Releases' }).click()
    await note('Couldn’t reach Hydrant. Trying again…').waitFor()
    expect(page.url()).toBe(`${proxy.url}/acme/issues`)
    expect(await page.getByRole('list', { name: 'Issues' }).getByRole('listitem').count()).toBe(1)
    // The page still works: the search box takes text, and the palette opens.
    await page.getByRole('combobox').first().fill('is:unresolved LostFailure')
    await mend()
    await page.waitForURL('**/acme/releases')
    await note('Connected again.').waitFor()
    await until(async () => (await page.locator('.toasts.lost').count()) === 0)
  },
)

longTest('the palette waits for the connection and then finds', async () => {
  if (!page.url().startsWith(proxy.url)) await open('/acme/settings')
  await page.keyboard.press('ControlOrMeta+k')
  const box = page.getByRole('combobox', { name: 'Page, project, issue or action' })
  await box.waitFor()
  proxy.cut('503')
  await box.fill('LostFail')
  await note('Couldn’t reach Hydrant. Trying again…').waitFor()
  proxy.cut('none')
  await page
    .getByRole('option', { name: /LostFailure/ })
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
})

test('a read that fails for another reason is not retried forever', async () => {
  let asked = 0
  await open('/acme/issues')
  await page.route(/_rsc=/, route => {
    asked++
    return route.abort()
  })
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Releases' }).click()
  await page.waitForURL('**/acme/releases')
  expect(asked).toBe(3)
  await page.unrouteAll({ behavior: 'wait' })
})

test('a session that has ended leaves the draft, and Retry works after signing in elsewhere', async () => {
  await open('/acme/issues/WEB-1')
  const before = countComments() ?? 0
  await comment().fill('written before the session ended')
  inControl(control => control.exec('DELETE FROM session'))
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expectNoBarriersWhenLong(page, { within: '.toasts' })
  await note('Your session has ended. Nothing was changed. Sign in, then retry.').waitFor()
  expect(await comment().inputValue()).toBe('written before the session ended')
  const signInLink = page.locator('.toasts.lost').getByRole('link', { name: 'Sign in' })
  expect(await signInLink.getAttribute('target')).toBe('_blank')
  await signIn(page, proxy.url)
  await page.locator('.toasts.lost').getByRole('button', { name: 'Retry' }).click()
  await page.locator('#activity').getByRole('listitem').filter({ hasText: 'before the session ended' }).waitFor()
  expect(countComments()).toBe(before + 1)
})

test('the error page says whether events are received, and nothing that it does not know', async () => {
  await withoutTable(hydrant, 'team', async () => {
    await open('/acme/settings/members')
    await page.getByText('Events are still being received.').waitFor()
    await page.route('**/readyz', route => route.fulfill({ status: 503, body: 'not ready: disk\n' }))
    await page.reload()
    await page.getByText('Hydrant isn’t accepting events right now.').waitFor()
    await page.unroute('**/readyz')
    if (isLong) {
      await page.route('**/readyz', route => route.fulfill({ status: 404, body: 'no such page' }))
      await page.reload()
      await page.getByText('The error is in the server log.').waitFor()
      expect(await page.locator('.void').textContent()).not.toMatch(/received|accepting|reach|URL/)
      await page.unroute('**/readyz')
    }
    await page.route('**/readyz', route => route.abort())
    await page.reload()
    await page.getByText('Couldn’t reach Hydrant.').first().waitFor()
    await page.unroute('**/readyz')
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Members', level: 2 }).waitFor()
})

longTest('a tab that is older than the server keeps its draft through a reload, and its links lead on', async () => {
  const old = await context.newPage()
  await old.goto(`${proxy.url}/acme/issues`)
  await hydrated(old)
  await open('/acme/issues/WEB-1')
  await comment().fill('written in the old tab')
  await hydrant.kill('SIGTERM')
  build = copyAsNewBuild()
  newer = await startHydrant({ from: build.folder, dataDir: hydrant.dataDir })
  proxy.passTo(newer.url)
  const before = countComments() ?? 0
  // A part of the page that no tab has loaded yet.
  await page.getByRole('button', { name: /Shortcuts/ }).click()
  await note('A part of this page couldn’t be loaded. Reload to continue.').waitFor()
  await page.locator('.toasts.lost').getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await note('Hydrant was updated. Reload to continue. Nothing was changed.').waitFor()
  expect(await comment().inputValue()).toBe('written in the old tab')
  await page.locator('.toasts.lost').getByRole('button', { name: 'Reload' }).click()
  await page.locator('.toasts.lost').waitFor({ state: 'detached' })
  await hydrated(page)
  expect(await comment().inputValue()).toBe('written in the old tab')
  expect(countComments()).toBe(before)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.locator('#activity').getByRole('listitem').filter({ hasText: 'written in the old tab' }).waitFor()
  expect(countComments()).toBe(before + 1)
  await page.reload()
  await hydrated(page)
  expect(await comment().inputValue()).toBe('')

  await old.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Releases' }).click()
  await old.waitForURL('**/acme/releases')
  await old.getByRole('heading', { name: 'Releases', level: 1 }).waitFor()
  expect(await old.getByText('stopped working').count()).toBe(0)
})

const countChanges = () =>
  inControl(control =>
    control.prepare<[], { n: number }>("SELECT count(*) AS n FROM audit WHERE action = 'user.password_change'").get(),
  )?.n

test('a new password is never kept in the browser', async () => {
  const before = countChanges() ?? 0
  await open('/account')
  await page.getByLabel('Present password').fill('correct horse')
  await page.getByLabel('New password').fill('a new long secret')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Change password' }).click()
  await note('Couldn’t reach Hydrant. Nothing was changed.').waitFor()
  expect(await page.getByLabel('New password').inputValue()).toBe('a new long secret')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage) + JSON.stringify(localStorage))).not.toMatch(
    /secret|correct horse/,
  )
  await context.setOffline(false)
  await page.locator('.toasts.lost').getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Password changed.').waitFor()
  await until(async () => (await page.getByLabel('New password').inputValue()) === '')
  expect(countChanges()).toBe(before + 1)
})
