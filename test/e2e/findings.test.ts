/** Findings in a real browser: an issue, a route and a release open with what changed, and each clause leads to its evidence. */

import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { postEnvelope } from './post-envelope.ts'
import { loadPages } from './route-scenes.ts'
import { recipientOf } from './trace-scenes.ts'

let hydrant: Hydrant
let browser: Browser
let page: Page
const faults: string[] = []
const hourMs = 3_600_000
const now = Date.now()

type Sent = { type: string; at: number; release: string; plan: string; user: string }
const errorOf = ({ type, at, release, plan, user }: Sent) => ({
  timestamp: at / 1e3,
  level: 'error',
  platform: 'node',
  environment: 'production',
  release,
  tags: { plan },
  user: { id: user },
  exception: { values: [{ type, value: `${type} happened`, mechanism: { type: 'generic', handled: true } }] },
})

/** A few at a time: each is a request of its own. */
async function sendAll<Item>(items: readonly Item[], send: (item: Item) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += 20) await Promise.all(items.slice(start, start + 20).map(send))
}

const hostile = '<img src=x onerror="document.title=1">\u202Egnp'

beforeAll(async () => {
  hydrant = await borrowHydrant()
  const { dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  const steady = Array.from({ length: 70 }, (_, index) => ({
    type: 'CheckoutError',
    at: now - 9 * 24 * hourMs + index * 3 * hourMs,
    release: 'shop@1.0.0',
    plan: 'business',
    user: `a${index}`,
  }))
  const rise = Array.from({ length: 60 }, (_, index) => ({
    type: 'CheckoutError',
    at: now - 3 * hourMs + index * 3 * 60_000,
    release: 'shop@1.1.0',
    plan: 'business',
    user: `b${index}`,
  }))
  const others = Array.from({ length: 240 }, (_, index) => ({
    type: 'OtherError',
    at: now - 23 * hourMs + index * 5.6 * 60_000,
    release: 'shop@1.0.0',
    plan: ['business', hostile, 'free', 'team'][index % 4] ?? '',
    user: `c${index}`,
  }))
  const strange = Array.from({ length: 60 }, (_, index) => ({
    type: 'StrangeError',
    at: now - 23 * hourMs + index * 20 * 60_000,
    release: 'shop@1.0.0',
    plan: hostile,
    user: `d${index}`,
  }))
  await sendAll([...steady, ...rise, ...others, ...strange], event => postEnvelope(dsn, errorOf(event)))
  const onRoute = { type: 'RouteError', at: now - hourMs, release: 'shop@1.0.0', plan: 'business', user: 'e' }
  for (const environment of ['staging', 'staging', 'staging', 'production'])
    await postEnvelope(dsn, { ...errorOf(onRoute), environment, transaction: '/cart' })
  const to = recipientOf(dsn)
  const visits = (count: number, lcp: number, step = 1): Record<string, number>[] =>
    Array.from({ length: count }, (_, index) => ({ lcp: lcp + index * step, ttfb: 200 + index }))
  // The older release at the age that the newer one has now.
  const young = now - 9 * 24 * hourMs + hourMs
  await loadPages(to, '/items/:id', 'shop@1.0.0', visits(180, 1_000, 2), young)
  await loadPages(to, '/items/:id', 'shop@1.1.0', visits(180, 4_000, 2))
  await loadPages(to, '/', 'shop@1.1.0', visits(30, 900))
  await loadPages(to, '/cart', 'shop@1.1.0', visits(5, 900))
  await hydrant.drained()
  browser = await openBrowser()
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  page.on('pageerror', error => void faults.push(error.message))
  await signIn(page, hydrant.url)
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const at = (path: string) => `${hydrant.url}${path}`
const find = (type: string) => at(`/acme/issues?q=${encodeURIComponent(type)}&range=30d`)

/** The path of an issue, from a list without scripts. */
async function pathOf(type: string): Promise<string> {
  const list = await (await page.request.get(find(type))).text()
  return /href="(\/acme\/issues\/\d+[^"]*)"/.exec(list)?.[1]?.replaceAll('&amp;', '&') ?? ''
}

async function openIssue(type: string): Promise<void> {
  await page.goto(at(await pathOf(type)))
}

test('an issue says since when it happens more often and for whom, with the evidence one click away', async () => {
  const change = page.getByRole('link', { name: /^\d+× more since shop@1\.1\.0, first seen [23] h ago$/ })
  const audience = page.getByRole('link', { name: /^100 % on plan:business \(usual \d\d %\)$/ })
  // A page does not wait long for the usual shares: on a busy machine the first one is without them.
  await page.request.get(at(await pathOf('CheckoutError')))
  await expect
    .poll(async () => {
      await openIssue('CheckoutError')
      await change.waitFor()
      return audience.count()
    })
    .toBe(1)
  await expectNoBarriersWhenLong(page)
  if (!isLong) {
    // Their pages by plain requests.
    const textOf = async (link: Locator) =>
      (await (await page.request.get(at((await link.getAttribute('href')) ?? ''))).text()).replaceAll(
        /<script.*?<\/script>|<!--.*?-->|<[^>]*>/gs,
        '',
      )
    expect(await audience.getAttribute('href')).toMatch(/\/events\?.*query=plan%3Abusiness/)
    expect(await textOf(audience)).toContain('shop@1.1.0')
    expect(await textOf(change)).toContain('60 events and 60 users')
    return
  }
  await audience.click()
  await page.waitForURL(/\/events\?.*query=plan%3Abusiness/)
  await page.getByRole('table').getByText('shop@1.1.0').first().waitFor()
  await page.goBack()
  await change.click()
  await page.waitForURL(/start=\d+&end=\d+/)
  await page.getByText(/^60 events and 60 users/).waitFor()
  // A sentence about all events is not shown above some of them.
  await expect.poll(() => change.count()).toBe(0)
})

longTest('the peek has the same sentence', async () => {
  await page.goto(find('CheckoutError'))
  await page
    .getByRole('link', { name: /CheckoutError happened/ })
    .first()
    .click()
  const peek = page.getByRole('complementary', { name: /^Issue WEB-/ })
  await peek.getByRole('link', { name: /× more since shop@1\.1\.0/ }).waitFor()
})

longTest('an issue to which nothing has happened opens with its counts alone', async () => {
  await openIssue('OtherError')
  await page.getByText(/^240 events and 240 users/).waitFor()
  expect(await page.getByRole('link', { name: /usual|more since|First seen \d/ }).count()).toBe(0)
})

longTest('a hostile tag value is text in the sentence and in the search that it leads to', async () => {
  await openIssue('StrangeError')
  const clause = page.getByRole('link', { name: /^100 % on plan:<img src=x onerror=.*⟨202E⟩gnp/ })
  await clause.click()
  await page.waitForURL(/\/events\?.*query=plan/)
  await page.getByText(/^60 events, 60 users matching/).waitFor()
  expect(await page.title()).not.toBe('1')
})

/** The texts of a page's rows or links, without scripts. */
async function read(path: string, tag: 'tr' | 'a' = 'tr'): Promise<string[]> {
  const html = await (await page.request.get(at(path))).text()
  const parts = html
    .replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '')
    .matchAll(new RegExp(`<${tag}[ >].*?</${tag}>`, 'gs'))
  return [...parts].map(([part]) => part.replaceAll(/<[^>]*>/g, ''))
}

longTest('a route says what is slower since which release, and its row says it in short', async () => {
  const row = (await read('/acme/routes')).find(text => text.includes('/items/[id]'))
  expect(row).toMatch(/\D0 %/)
  expect(row).toMatch(/LCP 1\.\d+ s → 4\.\d+ s \(p75\)/)
  const linkOf = async (path: string) => (await read(path, 'a')).find(text => text.startsWith('LCP 1.'))
  expect(await linkOf('/acme/routes/items/%5Bid%5D')).toMatch(
    /^LCP 1\.\d+ s → 4\.\d+ s \(p75\) compared with the 7 d before$/,
  )
  // A chosen time may end in the past, so the days before it are no "7 d before".
  expect(await linkOf(`/acme/routes/items/%5Bid%5D?start=${now - 7 * 24 * hourMs}&end=${now}`)).toMatch(
    /^LCP 1\.\d+ s → 4\.\d+ s \(p75\) compared with the time before$/,
  )
  await page.goto(at('/acme/routes/items/%5Bid%5D?range=30d'))
  await page.getByRole('table').first().waitFor()
  await fitsPhone()
  await page.getByRole('link', { name: /^LCP 1\.\d+ s → 4\.\d+ s \(p75\) since shop@1\.1\.0$/ }).click()
  await page.waitForURL(/#trend$/)
  await page.getByRole('heading', { name: 'LCP over time' }).waitFor()
})

/** The tables of the page need no scrolling. */
async function fitsPhone(whileSmall = async () => {}): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  const hidden = await page
    .getByRole('main')
    .getByRole('region')
    .evaluateAll(regions => regions.map(region => region.scrollWidth - region.clientWidth).filter(Boolean))
  expect(hidden).toEqual([])
  await whileSmall()
  await page.setViewportSize({ width: 1440, height: 900 })
}

longTest('an issue that is opened from a route counts what its row counts', async () => {
  await page.goto(at('/acme/routes/cart?env=staging&range=24h'))
  const failing = page.getByRole('row', { name: /RouteError happened/ })
  await failing.getByRole('cell', { name: '3', exact: true }).waitFor()
  await failing.getByRole('link').click()
  await page.getByText(/3 events.*, of 4 events in all/).waitFor()
})

longTest('a release says what it changed, with its numbers, routes and issues, also on a phone', async () => {
  await page.goto(at('/acme/releases/shop%401.1.0'))
  await page.getByText('Worse than shop@1.0.0').waitFor()
  const finding = page.getByRole('link', { name: /^LCP .* compared with shop@1\.0\.0 at the same age$/ })
  await finding.waitFor()
  const numbers = await page.locator('dl[aria-label="The release in numbers"]').textContent()
  expect(numbers).toContain('Issues seen1')
  const routes = page.getByRole('region', { name: 'By route' })
  expect(await routes.getByRole('row', { name: /\/items\/\[id\]/ }).textContent()).toMatch(/4\.\d+ s was 1\.\d+ s/)
  await page.getByRole('img', { name: /shop@1\.1\.0 reached \d+ % of page views and sessions/ }).waitFor()
  const seen = page.getByRole('region', { name: 'Issues seen' })
  const row = seen.getByRole('row', { name: /CheckoutError happened/ })
  expect(await row.textContent()).toContain('60')
  await fitsPhone(async () => {
    expect(await seen.getByRole('columnheader').allTextContents()).toEqual([
      'Issue',
      'Change',
      'Events',
      'Users',
      'Last seen',
    ])
    // An empty cell is one too.
    for (const each of (await seen.getByRole('row').all()).slice(1))
      expect(await each.getByRole('cell').count()).toBe(5)
    const title = seen.getByRole('link', { name: /CheckoutError happened/ })
    expect((await title.boundingBox())?.width).toBeGreaterThan(200)
    await expectNoBarriersWhenLong(page)
  })
  // An issue that is opened from here counts what its row counts.
  await row.getByRole('link').first().click()
  await page.getByText(/60 events.*, of 130 events in all/).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'View all 1' }).click()
  await page.waitForURL(/q=release%3Ashop%401\.1\.0/)
  await page
    .getByRole('link', { name: /CheckoutError happened/ })
    .first()
    .waitFor()
  expect(faults).toEqual([])
})
