/** The list of releases in a browser: its filter is in the address, travels with links, and is what the numbers are of. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { openAcme } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { postEnvelope } from './post-envelope.ts'

const dayMs = 86_400_000
/** A moment between two whole minutes, some days ago. */
const then = Math.floor((Date.now() - 20 * dayMs) / 60_000) * 60_000
let hydrant: Hydrant
let browser: Browser
let page: Page

beforeAll(async () => {
  hydrant = await borrowHydrant()
  browser = await openBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'UTC' })).newPage()
  const web = (await openAcme(hydrant, page)).dsn
  const api = (await hydrant.init('--org', 'acme', '--project', 'api')).dsn
  const send = (dsn: string, release: string, type: string, environment: string, at: number, id: string) =>
    postEnvelope(dsn, {
      timestamp: at / 1e3,
      platform: 'javascript',
      release,
      environment,
      user: { id },
      exception: { values: [{ type, value: type }] },
    })
  const now = Date.now() - 60_000
  await send(web, 'shop@1.0.0', 'OldError', 'production', then, 'ann')
  await send(web, 'shop@1.0.0', 'OldError', 'staging', then + 30 * 60_000, 'bob')
  await send(web, 'shop@2.0.0', 'NewError', 'production', now, 'ann')
  await send(web, 'shop@2.0.0', 'NewError', 'production', now, 'bob')
  await send(web, 'shop@2.0.0', 'OtherError', 'staging', now, 'ann')
  await send(api, 'shop@2.0.0', 'ApiError', 'production', now, 'cleo')
  await hydrant.drained()
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

/** Share of users, events and new issues. */
async function numbersOf(version: string): Promise<string[]> {
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: version, exact: true }) })
  const cells = await row.getByRole('cell').allTextContents()
  return [cells[2] ?? '', cells[3] ?? '', cells[4] ?? '']
}
const open = async (query: string): Promise<void> => void (await page.goto(`${hydrant.url}/acme/releases${query}`))
const pick = async (name: string, choice: string): Promise<void> => {
  await page.locator('.pickers summary', { hasText: name }).click()
  await page.getByRole('link', { name: choice, exact: true }).click()
}

test('project, environment and time are chosen as in other lists, and every number follows', async () => {
  await open('')
  await hydrated(page)
  expect(await numbersOf('shop@2.0.0')).toEqual(['100 %', '4', '3'])
  expect(await numbersOf('shop@1.0.0')).toEqual(['0 %', '0', '0'])
  await pick('Project', 'web')
  await page.waitForURL('**/acme/releases?project=web')
  await expect.poll(() => numbersOf('shop@2.0.0')).toEqual(['100 %', '3', '2'])
  await pick('Environment', 'production')
  await page.waitForURL('**/acme/releases?project=web&env=production')
  await expect.poll(() => numbersOf('shop@2.0.0')).toEqual(['100 %', '2', '1'])
  await pick('Last 7 d', 'Last 30 d')
  await page.waitForURL('**/acme/releases?project=web&env=production&range=30d')
  await expect.poll(() => numbersOf('shop@1.0.0')).toEqual(['50 %', '1', '1'])
  await page.getByText('those in the last 30 d in production; the last deploy is the last to production').waitFor()
  await expectNoBarriersWhenLong(page)
})

longTest('between two moments are the releases that existed, with what happened between them', async () => {
  await open('')
  await hydrated(page)
  await page.locator('.pickers summary', { hasText: 'Last 7 d' }).click()
  await page.getByLabel('From').fill(new Date(then + 60_000).toISOString().slice(0, 16))
  await page.getByLabel('To', { exact: true }).fill(new Date(then + 3_600_000).toISOString().slice(0, 16))
  await page.getByRole('button', { name: 'Apply' }).click()
  const moments = `start=${then + 60_000}&end=${then + 3_600_000}`
  await page.waitForURL(`**/acme/releases?${moments}`)
  await page.getByText('1 release', { exact: true }).waitFor()
  expect(await numbersOf('shop@1.0.0')).toEqual(['100 %', '1', '0'])
  // To the release and on: the time stays chosen.
  await page.getByRole('link', { name: 'shop@1.0.0', exact: true }).click()
  await page.waitForURL(`**/acme/releases/shop%401.0.0?${moments}`)
  const rail = page.getByRole('navigation', { name: 'Main' })
  expect(await rail.getByRole('link', { name: 'Issues', exact: true }).getAttribute('href')).toBe(
    `/acme/issues?${moments}`,
  )
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Releases' }).click()
  await page.waitForURL(`**/acme/releases?${moments}`)
  await page.getByText('1 release', { exact: true }).waitFor()
})

longTest('a search keeps the filter, and a filter keeps the search and the order', async () => {
  await open('?env=production&sort=version')
  await hydrated(page)
  await page.getByRole('searchbox', { name: 'Search releases' }).fill('2.0')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/acme/releases?env=production&sort=version&q=2.0')
  await page.getByText('1 release', { exact: true }).waitFor()
  await pick('Environment', 'All environments')
  await page.waitForURL('**/acme/releases?q=2.0&sort=version')
  await page.getByRole('searchbox', { name: 'Search releases' }).fill('nothing')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No matching releases' }).waitFor()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByText('2 releases', { exact: true }).waitFor()
})
