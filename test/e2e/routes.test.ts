/** Routes in a real browser: one row per route, its navigations, and the navigations of Hydrant's own pages. */

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { findBarriers } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { callAction, loadPage, navigate, queries, request } from './route-scenes.ts'
import { recipientOf } from './trace-scenes.ts'

let hydrant: Hydrant
let browser: Browser
let context: BrowserContext
let page: Page
const faults: string[] = []
const shop = 'https://shop.example.com'
const hostile = '/<img src=x onerror="document.title=1">/\u202Egnp'

beforeAll(async () => {
  hydrant = await borrowHydrant()
  const to = recipientOf((await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)).dsn)
  await loadPage(to, '/items/:id', 'shop@1.0.0', { lcp: 1_200, cls: 0.02, inp: 90, ttfb: 200, fcp: 700 })
  await loadPage(to, '/items/:id', 'shop@1.1.0', { lcp: 4_600, cls: 0.02, inp: 90, ttfb: 200, fcp: 700 })
  await loadPage(to, '/', 'shop@1.1.0', { lcp: 800 })
  await loadPage(to, hostile, 'shop@1.1.0', {})
  await navigate(to, '/items/[id]', 'shop@1.1.0', { fetches: [`${shop}/items/7?_rsc=ab1`] })
  await navigate(to, '/@modal/(.)items/[id]', 'shop@1.1.0')
  await navigate(to, '/items/:id', 'shop@1.1.0', { type: 'router.traverse' })
  const data = `${shop}/_next/data/build/legacy/old.json`
  const prefetch = { 'http.request.header.next-router-prefetch': '1' }
  // One page in several requests, as Next asks for it, is one prefetch, and one navigation is cold once: in two batches too.
  const ahead = { traceId: 'f'.repeat(32), url: '/items/8?_rsc=ab1' }
  for (const part of ['/_tree', '/__PAGE__']) {
    const headers = { ...prefetch, 'http.request.header.next-router-segment-prefetch': part }
    await request(to, '/items/[id]', 'shop@1.1.0', { ...ahead, headers })
  }
  const meanwhile = () => hydrant.drained()
  await navigate(to, '/legacy/[slug]', 'shop@1.1.0', { durationMs: 4_300, fetches: [data, data, data], meanwhile })
  await request(to, '/items/[id]', 'shop@1.1.0', { ...ahead, headers: prefetch })
  await navigate(to, '/legacy/[slug]', 'shop@1.1.0', { finish: 'cancelled' })
  await request(to, '/items/[id]', 'shop@1.1.0', { children: queries(12) })
  await request(to, '/items/[id]', 'shop@1.1.0', { url: '/items/7?_rsc=ab1', headers: prefetch })
  for (const status of [401, 403, 404, 307]) await request(to, '/account', 'shop@1.1.0', { status })
  await callAction(to, '/order', 'shop@1.1.0', 'submitOrder')
  await hydrant.drained()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  page.on('pageerror', error => void faults.push(error.message))
  await signIn(page, hydrant.url)
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const at = (path: string) => `${hydrant.url}${path}`
const rowOf = (route: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: route, exact: true }) })

test('a route is one row, although browser, server and interception name it differently', async () => {
  // A chosen time comes along from another page; routes have ranges only, and name the one that they show.
  await page.goto(at('/acme/routes?start=1767225600000&end=1767229200000'))
  await page.locator('summary', { hasText: 'Last 7 d' }).waitFor()
  const routes = await page.locator('.rtable tbody .rname').allTextContents()
  expect(routes.toSorted()).toEqual(
    [
      '/',
      '/<img src=x onerror="document.title=1">/⟨202E⟩gnp',
      '/account',
      '/items/[id]',
      '/legacy/[slug]',
      '/order',
    ].toSorted(),
  )
  const cells = await rowOf('/items/[id]').getByRole('cell').allTextContents()
  expect(cells[1]).toBe('5') // two loads, three navigations
  expect(await rowOf('/items/[id]').getByRole('img').first().getAttribute('aria-label')).toBe(
    'prefetched 34 %, router cache 33 %, cold 33 %',
  )
  expect(await page.title()).toContain('Routes')
})

test('the route page shows navigations, vitals compared with the previous release, and repeated queries', async () => {
  await page.goto(at('/acme/routes'))
  await page.getByRole('link', { name: '/items/[id]', exact: true }).click()
  await page.waitForURL('**/acme/routes/items/%5Bid%5D')
  await page.getByRole('heading', { level: 1, name: '/items/[id]' }).waitFor()
  // Sent after the first screen.
  await page.getByRole('heading', { name: 'Server time' }).waitFor()
  const text = await page.locator('#content').textContent()
  expect(text).toContain('2 page loads, 3 navigations, 1 request, ')
  expect(text).toContain('2 prefetches: 1 used, 1 wasted (50 %).')
  expect(text).toContain('shop@1.1.0 compared with the previous release shop@1.0.0')
  expect(text).toMatch(/up to 12 ×/)
  expect(await page.locator('.vital').first().locator('.val .bad').allTextContents()).toEqual(['4.64 s'])
  // Two page loads say little about a change.
  expect(await page.locator('.vital').first().textContent()).toContain('not sure')
})

test('page loads over 3.8 s, retried data requests and canceled navigations are counted', async () => {
  await page.goto(at('/acme/routes/legacy/%5Bslug%5D'))
  const fact = (name: string) => page.locator('.rfacts > div').filter({ hasText: name }).locator('dd').textContent()
  expect(await fact('Page loads over 3.8 s')).toBe('1')
  expect(await fact('Retried requests')).toBe('2')
  expect(await fact('Canceled')).toBe('1')
  await page.goto(at('/acme/routes'))
  const mix = rowOf('/legacy/[slug]').getByRole('img').first()
  expect(await mix.getAttribute('aria-label')).toBe('no fetch 50 %, cold 50 %')
})

test('error statuses and redirects are counted, actions have names and failures, and the root route has a page', async () => {
  await page.goto(at('/acme/routes/account'))
  await page.getByRole('heading', { name: 'Failures' }).waitFor()
  const account = await page.locator('#content').textContent()
  for (const words of ['1 401', '1 403', '1 404', '1 redirect']) expect(account).toContain(words)
  await page.goto(at('/acme/routes/order'))
  await page.getByRole('heading', { name: 'Server actions' }).waitFor()
  const cells = await page
    .getByRole('row', { name: /submitOrder/ })
    .getByRole('cell')
    .allTextContents()
  expect(cells).toEqual(['submitOrder', '1', '45 ms', '1'])
  await page.goto(at('/acme/routes'))
  await page.getByRole('link', { name: '/', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: '/', exact: true }).waitFor()
  expect((await page.request.get(at('/acme/routes/nowhere/at/all'))).status()).toBe(404)
})

test('the pages work without JavaScript', async () => {
  const still = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() })
  const plain = await still.newPage()
  await plain.goto(at('/acme/routes?q=items'))
  expect(await plain.locator('.rtable tbody tr').count()).toBe(1)
  await plain.getByRole('link', { name: '/items/[id]', exact: true }).click()
  await plain.getByRole('heading', { level: 1, name: '/items/[id]' }).waitFor()
  await plain.getByRole('heading', { name: 'Server time' }).waitFor()
  await still.close()
})

longTest('Hydrant’s own pages prefetch at most five pages at a time', async () => {
  let inFlight = 0
  let most = 0
  const isPrefetch = (headers: Record<string, string>) =>
    'next-router-prefetch' in headers || /prefetch/.test(headers['sec-purpose'] ?? headers.purpose ?? '')
  page.on('request', asked => {
    if (isPrefetch(asked.headers())) most = Math.max(most, ++inFlight)
  })
  page.on('requestfinished', asked => void (isPrefetch(asked.headers()) && inFlight--))
  page.on('requestfailed', asked => void (isPrefetch(asked.headers()) && inFlight--))
  for (const path of ['/acme/issues', '/acme/traces', '/acme/routes', '/acme/projects']) {
    await page.goto(at(path))
    await hydrated(page)
    for (const link of await page.getByRole('link').all())
      await link.hover({ force: true, timeout: 2_000 }).catch(() => null)
    await until(() => inFlight === 0)
  }
  expect(most).toBeLessThanOrEqual(5)
})

/** Holds back the pages that match until they are let go. */
async function hold(pattern: string): Promise<() => Promise<void>> {
  let answer = () => {}
  const held = new Promise<void>(resolve => (answer = resolve))
  await page.route(pattern, async route => {
    await held
    await route.continue()
  })
  return async () => {
    answer()
    await until(async () => (await page.locator('.link-pending').count()) === 0)
    await page.unroute(pattern)
  }
}

test('a slow navigation shows progress, and one whose data fails loads the whole page', async () => {
  await page.goto(at('/acme/routes'))
  await hydrated(page)
  const letSearchGo = await hold('**/acme/routes?**')
  await page.getByRole('textbox', { name: 'Filter routes' }).fill('items')
  await page.keyboard.press('Enter')
  await page.locator('.link-pending').waitFor({ state: 'attached' })
  await letSearchGo()
  expect(new URL(page.url()).searchParams.get('q')).toBe('items')
  const letLinkGo = await hold('**/acme/routes/items/**')
  await page.getByRole('link', { name: '/items/[id]', exact: true }).click()
  await page.locator('.link-pending').waitFor({ state: 'attached' })
  await letLinkGo()
  await page.getByRole('heading', { level: 1, name: '/items/[id]' }).waitFor()
  await page.goto(at('/acme/routes'))
  await page.route('**/acme/routes/items/**', route =>
    'rsc' in route.request().headers() ? route.abort() : route.continue(),
  )
  await page.getByRole('link', { name: '/items/[id]', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: '/items/[id]' }).waitFor()
  await page.unroute('**/acme/routes/items/**')
  expect(faults).toEqual([])
})

longTest('two projects with the same route have a row and a page each', async () => {
  const api = recipientOf((await hydrant.init('--org', 'acme', '--project', 'api')).dsn)
  await request(api, '/items/[id]', 'api@1.0.0', { status: 200 })
  await hydrant.drained()
  await page.goto(at('/acme/routes?q=items'))
  const cells = async (row: number) => page.locator('.rtable tbody tr').nth(row).getByRole('cell').allTextContents()
  expect((await cells(0)).slice(0, 3)).toEqual(['/items/[id]', 'web', '5'])
  expect((await cells(1)).slice(0, 3)).toEqual(['/items/[id]', 'api', '1 request'])
  await page.getByRole('link', { name: '/items/[id]', exact: true }).nth(1).click()
  await page.waitForURL('**/acme/routes/items/%5Bid%5D?project=api')
  await page.getByText('API route of api').waitFor()
  await page.goto(at('/acme/routes/items/%5Bid%5D'))
  await page.getByText('of 2 projects combined: api, web').waitFor()
  expect(await findBarriers(page)).toEqual([])
})
