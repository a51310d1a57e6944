/** Routes in a real browser: one row per route, its navigations, and the navigations of Hydrant's own pages. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import type { Recipient } from './replay-capture.ts'
import { callAction, loadPage, navigate, queries, request } from './route-scenes.ts'
import { recipientOf } from './trace-scenes.ts'

let hydrant: Hydrant
let browser: Browser
let page: Page
let web: Recipient
const faults: string[] = []
const shop = 'https://shop.example.com'
const hostile = '/<img src=x onerror="document.title=1">/\u202Egnp'

beforeAll(async () => {
  hydrant = await borrowHydrant()
  const { dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  web = recipientOf(dsn)
  const to = web
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
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  page.on('pageerror', error => void faults.push(error.message))
  await signIn(page, hydrant.url)
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const at = (path: string) => `${hydrant.url}${path}`
/** A page without the data of scripts and the marks of React. */
const read = async (path: string) =>
  (await (await page.request.get(at(path))).text()).replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '')
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '')
/** The row of a table with these words. */
const findRow = (html: string, words: string) =>
  (html.match(/<tr[ >].*?<\/tr>/gs) ?? []).find(row => textOf(row).includes(words)) ?? ''
const headingOf = (html: string) => textOf(/<h1.*?<\/h1>/s.exec(html)?.[0] ?? '')
const rowOf = (route: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: route, exact: true }) })

test('a route is one row, although browser, server and interception name it differently', async () => {
  await page.goto(at('/acme/routes'))
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
  expect(await rowOf('/items/[id]').getByRole('img').first().getAttribute('aria-label')).toMatch(
    /^prefetched 34 %, router cache 33 %, fetched 33 % \(p75 ≈ \d+(?:\.\d+)? ms\)$/,
  )
  expect(await page.title()).toContain('Routes')
})

test('the route page shows navigations, vitals compared with the previous release, and repeated queries', async () => {
  if (page.url() !== at('/acme/routes')) await page.goto(at('/acme/routes'))
  await page.getByRole('link', { name: '/items/[id]', exact: true }).click()
  await page.waitForURL('**/acme/routes/items/%5Bid%5D')
  await page.getByRole('heading', { level: 1, name: '/items/[id]' }).waitFor()
  // Sent after the first screen.
  await page.getByRole('heading', { name: 'Server time' }).waitFor()
  const text = await page.locator('#content').textContent()
  expect(text).toContain('2 page loads, 3 navigations, 1 request, ')
  expect(text).toContain('2 prefetches: 1 used, 1 wasted (50 %).')
  expect(text).toContain('the changes are those of shop@1.1.0 (1 page load) since the previous release shop@1.0.0')
  expect(text).toMatch(/up to 12 ×/)
  const bad = await page.locator('.vital').first().locator('.val .bad').allTextContents()
  expect(bad).toEqual([expect.stringMatching(/^≈ 4\.\d+ s$/)])
  // Two page loads say little about a change.
  expect(await page.locator('.vital').first().textContent()).toContain('not sure')
})

longTest('any two moments can be chosen, stay chosen from page to page, and are what is counted', async () => {
  // Whole days ago, so that no other test counts them.
  const dayMs = 86_400_000
  const noon = Math.floor(Date.now() / dayMs) * dayMs - 3 * dayMs + dayMs / 2
  for (const minutes of [-70, 2, 11, 12, 61])
    await loadPage(web, '/chosen', 'shop@1.1.0', { lcp: 900 }, noon + minutes * 60_000)
  await hydrant.drained()
  await page.goto(at('/acme/routes?range=24h&q=chosen'))
  await page.getByRole('heading', { name: 'No matching routes' }).waitFor()
  await hydrated(page)
  // The picker takes minutes in the zone of the reader.
  await page.locator('summary', { hasText: 'Last 24 h' }).click()
  const typed = (time: number) =>
    page.evaluate(ms => {
      const date = new Date(ms)
      return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    }, time)
  await page.getByLabel('From').fill(await typed(noon))
  await page.getByLabel('To', { exact: true }).fill(await typed(noon + 3_600_000))
  await page.getByRole('button', { name: 'Apply' }).click()
  const moments = `start=${noon}&end=${noon + 3_600_000}`
  await page.waitForURL(`**/acme/routes?q=chosen&${moments}`)
  const viewsOf = async () => (await rowOf('/chosen').getByRole('cell').allTextContents())[1]
  await rowOf('/chosen').waitFor()
  expect(await viewsOf()).toBe('3')
  await page.getByRole('link', { name: '/chosen', exact: true }).click()
  await page.waitForURL(`**/acme/routes/chosen?${moments}`)
  await page.getByText('3 page loads, 0 navigations').waitFor()
  for (const name of ['Slow traces', 'Issues']) {
    const links = page.getByRole('main').getByRole('link', { name, exact: true })
    expect(await links.getAttribute('href')).toContain(moments)
  }
  for (const name of ['Traces', 'Issues', 'Routes']) {
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
    expect(await link.getAttribute('href')).toBe(`/acme/${name.toLowerCase()}?${moments}`)
  }
  // Back in the list from another page.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Routes', exact: true }).click()
  await rowOf('/chosen').waitFor()
  expect(await viewsOf()).toBe('3')
  // Moments within the steps that are counted: the page says which those are, and how much more they hold.
  const within = await read(`/acme/routes/chosen?start=${noon + 12 * 60_000}&end=${noon + 62 * 60_000}`)
  expect(within).toContain('≈ 3 page loads')
  expect(within).toContain('Outside of the chosen time are at most 3 views.')
  const before = await read(`/acme/routes?q=chosen&start=${noon - dayMs}&end=${noon - dayMs + 60_000}`)
  expect(textOf(before)).toMatch(/No routes between .* and /)
})

test('page loads over 3.8 s, retried data requests and canceled navigations are counted', async () => {
  const route = await read('/acme/routes/legacy/%5Bslug%5D')
  const fact = (name: string) => new RegExp(`${name}.*?<dd[^>]*>(.*?)</dd>`, 's').exec(route)?.[1]
  expect(fact('Page loads over 3.8 s')).toBe('0')
  expect(fact('Navigations over 3.8 s')).toBe('1')
  expect(fact('Retried requests')).toBe('1, 3 attempts')
  expect(fact('Canceled')).toBe('1')
  expect(findRow(await read('/acme/routes'), '/legacy/[slug]')).toMatch(
    /aria-label="no fetch 50 %, fetched 50 % \(p75 ≈ [\d.]+ ms\)"/,
  )
})

test('error statuses and redirects are counted, actions have names and failures, and the root route has a page', async () => {
  const account = textOf(await read('/acme/routes/account'))
  for (const words of ['1 401', '1 403', '1 404', '1 redirect']) expect(account).toContain(words)
  const order = await read('/acme/routes/order')
  expect(order).toContain('Server actions')
  const cells = findRow(order, 'submitOrder').match(/<td.*?<\/td>/gs)
  expect(cells?.map(textOf)).toEqual(['submitOrder', '1', '45 ms', '1'])
  const links = (await read('/acme/routes')).match(/<a [^>]*href="\/acme\/routes\/.*?<\/a>/gs)
  const root = /href="([^"]*)"/.exec(links?.find(link => textOf(link) === '/') ?? '')?.[1]
  expect(headingOf(await read(root ?? ''))).toBe('/')
  expect((await page.request.get(at('/acme/routes/nowhere/at/all'))).status()).toBe(404)
})

longTest('on a phone a route is a block that needs no scrolling, and still a row with named columns', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(at('/acme/routes'))
  const table = page.getByRole('table', { name: 'Routes' }).or(page.getByRole('region', { name: 'Routes' }))
  const hidden = await table.first().evaluate(node => node.scrollWidth - node.clientWidth)
  expect(hidden).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  const cells = await rowOf('/items/[id]').getByRole('cell').allTextContents()
  expect(cells).toHaveLength(11)
  for (const cell of await rowOf('/items/[id]').getByRole('cell').all()) {
    const box = await cell.boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true)
  }
  expect(await page.getByRole('columnheader').allTextContents()).toHaveLength(11)
  await page.getByRole('columnheader', { name: 'LCP p75' }).getByRole('link').click()
  await page.waitForURL('**/acme/routes?sort=lcp')
  await page.getByRole('columnheader', { name: 'LCP p75 ↓' }).waitFor()
  await expectNoBarriersWhenLong(page)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the pages work without JavaScript', async () => {
  const list = await read('/acme/routes?q=items')
  expect(list.match(/<tr/g)).toHaveLength(2)
  const [, href = ''] = /<a[^>]* href="(\/acme\/routes\/items[^"]*)"/.exec(list) ?? []
  const route = await read(href.replaceAll('&amp;', '&'))
  expect(headingOf(route)).toBe('/items/[id]')
  expect(route).toContain('<h2>Server time')
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

longTest('a slow navigation shows progress, and one whose data fails loads the whole page', async () => {
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
  await expectNoBarriersWhenLong(page)
})
