/** Traces in a real browser: recorded traces, ten thousand spans, late spans, wrong clocks, keys, links, and no JavaScript. */

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { openAcme } from './ada.ts'
import { findBarriers } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import type { Recipient } from './replay-capture.ts'
import { hexId, largeTrace, recipientOf, replayScenario, type SceneSpan, sendLog, sendSpans } from './trace-scenes.ts'
import { testTraceLooks } from './trace-suites/looks.ts'

let hydrant: Hydrant
let browser: Browser
let context: BrowserContext
let page: Page
let to: Recipient
let pageLoad = ''
const faults: string[] = []
const large = 'a'.repeat(32)
const folded = 'b'.repeat(32)
const late = 'c'.repeat(32)
const skewed = 'd'.repeat(32)
const beganAt = Date.now() - 120_000
/** Many times what fits on a screen. */
const many = isLong ? 10_000 : 2_000

beforeAll(async () => {
  hydrant = await borrowHydrant()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  page.on('pageerror', error => void faults.push(error.message))
  to = recipientOf((await openAcme(hydrant, page)).dsn)
  for (const scenario of ['next-pageload-param', 'next-server-component-error']) await replayScenario(scenario, to)
  await sendSpans(to, { traceId: large, beganAt, spans: largeTrace(many) })
  await sendSpans(to, { traceId: folded, beganAt, spans: repeats() })
  await sendSpans(to, { traceId: skewed, beganAt, isBrowser: true, spans: [asked()] })
  await sendSpans(to, { traceId: skewed, beganAt: beganAt - 5_000, spans: [served()] })
  await sendLog(to, { traceId: folded, spanId: hexId(1), body: 'forty queries for one page' })
  await hydrant.drained()
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const request: SceneSpan = {
  id: 1,
  name: 'GET /orders',
  op: 'http.server',
  startMs: 0,
  durationMs: 400,
  isSegment: true,
}
const repeats = (): SceneSpan[] => [
  request,
  ...Array.from({ length: 40 }, (_, index) => ({
    ...{ id: 10 + index, parent: 1, segment: 1, name: 'SELECT * FROM item', op: 'db' },
    ...{ startMs: 10 + index * 9, durationMs: 8 },
  })),
]
const asked = (): SceneSpan => ({
  id: 1,
  name: 'GET /',
  op: 'http.client',
  startMs: 0,
  durationMs: 200,
  isSegment: true,
})
const served = (): SceneSpan => ({ ...request, id: 2, parent: 1, durationMs: 100 })

const open = async (path: string, on = page) => {
  await on.goto(`${hydrant.url}/acme/traces${path}`)
  await hydrated(on)
}
const row = (name: string | RegExp) => page.locator('[role=row].wfr', { hasText: name })
const traceLinks = (on = page) => on.getByRole('region', { name: 'Traces' }).locator('tbody').getByRole('link')
const ready = () => until(async () => (await page.locator('.wfgrid[role=treegrid] .wfr').count()) > 0)

test('the list shows a page load, its duration and a link to its trace', async () => {
  await open(`?q=${encodeURIComponent('is:segment op:pageload route:"/items/[id]"')}`)
  await page.getByRole('img', { name: /Durations between/ }).waitFor()
  expect(await traceLinks().count()).toBe(1)
  await traceLinks().click()
  await page.waitForURL(/traces\/[0-9a-f]{32}#span-/)
  pageLoad = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.getByRole('heading', { level: 1, name: '/items/[id]' }).waitFor()
  await page.getByText('Ended after 1 s without activity.').first().waitFor()
  await page.getByText(/LCP \d+ ms/).waitFor()
})

longTest('the charts of the list read their buckets', async () => {
  await open('')
  for (const [name, reading] of [
    ['Durations over time', /p95 [\d.]+ m?s, p75 .*, p50/],
    ['Spans over time', /[\d,.k]+ spans/],
  ] as const) {
    const chart = page.getByRole('slider', { name })
    await chart.focus()
    await page.keyboard.press('End')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(reading)
  }
})

test('spans of browser, edge and server form one tree', async () => {
  await open(`/${pageLoad}`)
  await ready()
  const levels = async (name: string | RegExp) => Number(await row(name).first().getAttribute('aria-level'))
  expect(await levels('pageload')).toBe(1)
  expect(await levels('Request')).toBe(2)
  expect(await levels('GET /items/[id]')).toBe(3)
  expect(await levels(/function\s*Page/)).toBeGreaterThan(4)
  expect(await page.locator('.lane', { hasText: 'server' }).count()).toBeGreaterThan(0)
  expect(await page.getByText('clock corrected').count()).toBe(0)
})

test('keys move the cursor and open and close span details', async () => {
  if (page.url() !== `${hydrant.url}/acme/traces/${pageLoad}`) await open(`/${pageLoad}`)
  await ready()
  await until(async () => {
    await page.keyboard.press('j')
    return (await page.locator('.wfr.cur').count()) === 1
  })
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Span' }).getByText('sentry.idle_span_finish_reason').waitFor()
  expect(page.url()).toMatch(/#span-[0-9a-f]{16}$/)
  const grid = page.locator('[role=treegrid]')
  expect(await grid.getAttribute('aria-activedescendant')).toBe(page.url().split('#')[1])
  await page.keyboard.press('Escape')
  await until(async () => (await page.getByRole('complementary', { name: 'Span' }).count()) === 0)
  expect(page.url()).not.toContain('#')
  const before = await page.locator('[role=row].wfr').count()
  await page.keyboard.press('ArrowLeft')
  await until(async () => (await page.locator('[role=row].wfr').count()) < before)
  await page.keyboard.press('ArrowRight')
  await until(async () => (await page.locator('[role=row].wfr').count()) === before)
  await page.keyboard.press(']')
  await page.getByRole('button', { name: 'Reset zoom' }).click()
  await until(async () => (await page.getByRole('button', { name: 'Reset zoom' }).count()) === 0)
})

test(`${many} spans are virtualized, the key for the next error scrolls to it, and the filter shows what matches`, async () => {
  await open(`/${large}`)
  await ready()
  expect(Number(await page.locator('[role=treegrid]').getAttribute('aria-rowcount'))).toBeGreaterThan(many - 10)
  expect(await page.locator('.wfr').count()).toBeLessThan(150)
  await until(async () => {
    await page.keyboard.press('n')
    // A second press would go on to the next error, so a slow page gets its time.
    const found = page.locator('.wfr.cur .lv').waitFor({ timeout: 10_000 })
    return found.then(
      () => true,
      () => false,
    )
  })
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(5_000)
  expect(await page.locator('.wfr.cur').textContent()).toContain('SELECT 502 ')
  await page.keyboard.press('n')
  await page.locator('.wfr.cur', { hasText: 'SELECT 1502 ' }).waitFor()
  await page.keyboard.press('Shift+N')
  await page.locator('.wfr.cur', { hasText: 'SELECT 502 ' }).waitFor()
  await page.getByRole('searchbox', { name: 'Filter spans' }).fill('SELECT 1777 ')
  await page.getByText('2 matching rows').waitFor()
  await row('SELECT 1777 ').waitFor()
})

longTest('a link to a span scrolls to it and unfolds it', async () => {
  await open(`/${large}#span-${hexId(many - 100)}`)
  await page.locator(`#span-${hexId(many - 100)}.sel`).waitFor()
  await page.getByRole('complementary', { name: 'Span' }).getByText('order.number').waitFor()
  const box = await page.locator(`#span-${hexId(many - 100)}`).boundingBox()
  expect(box?.y).toBeGreaterThan(100)
  expect(box?.y).toBeLessThan(880)
  await open(`/${folded}`)
  await page.getByText('×40').waitFor()
  await page.getByText('sequential, 8 ms each').waitFor()
  expect(await page.locator(`#span-${hexId(30)}`).count()).toBe(0)
  await page.evaluate(id => (location.hash = `#span-${id}`), hexId(30))
  await page.locator(`#span-${hexId(30)}.sel`).waitFor()
})

longTest('an open trace updates when more spans arrive', async () => {
  const child = { id: 5, parent: 1, segment: 1, name: 'SELECT late', op: 'db', startMs: 20, durationMs: 30 }
  const attributes = { 'sentry.segment.name': 'GET /orders' }
  await sendSpans(to, { traceId: late, beganAt: Date.now() - 5_000, spans: [{ ...child, attributes }] })
  await hydrant.drained()
  // The page is told of news from here on.
  const isListening = page.waitForResponse(response => response.url().includes('/api/live'))
  await open(`/${late}`)
  await row('GET /orders').getByText('not received yet').waitFor()
  await isListening
  await sendSpans(to, { traceId: late, beganAt: Date.now() - 5_000, spans: [request] })
  await until(async () => (await page.getByText('not received yet').count()) === 0)
  await row('http.server').waitFor()
})

/** Holds requests of a page back until more spans of its trace are stored, and gives the page. */
async function openBeforeSpans(visit: BrowserContext, traceId: string, held: string): Promise<Page> {
  const child = { id: 5, parent: 1, segment: 1, name: 'SELECT early', op: 'db', startMs: 20, durationMs: 30 }
  await sendSpans(to, { traceId, beganAt: Date.now() - 5_000, spans: [child] })
  await hydrant.drained()
  const reader = await visit.newPage()
  let isStored = false
  await reader.route(held, route => until(() => isStored).then(() => route.continue()))
  await reader.goto(`${hydrant.url}/acme/traces/${traceId}`, { waitUntil: 'commit' })
  await reader.getByRole('row').filter({ hasText: 'SELECT early' }).waitFor()
  await sendSpans(to, { traceId, beganAt: Date.now() - 5_000, spans: [request] })
  await hydrant.drained()
  isStored = true
  return reader
}

longTest('spans that arrive before the page listens are shown too', async () => {
  const visit = await browser.newContext({ storageState: await context.storageState() })
  const reader = await openBeforeSpans(visit, 'e'.repeat(32), '**/api/live*')
  await reader.getByRole('row').filter({ hasText: 'http.server' }).waitFor()
  await visit.close()
})

longTest('spans that arrive before the scripts run are shown too, if another tab has the stream', async () => {
  const visit = await browser.newContext({ storageState: await context.storageState() })
  const other = await visit.newPage()
  const isListening = other.waitForResponse(response => response.url().includes('/api/live'))
  await other.goto(`${hydrant.url}/acme/traces/${late}`)
  await isListening
  const reader = await openBeforeSpans(visit, 'f'.repeat(32), '**/_next/static/chunks/*.js')
  await reader.getByRole('row').filter({ hasText: 'http.server' }).waitFor()
  await visit.close()
})

longTest('a wrong clock is corrected, and the page says so', async () => {
  await open(`/${skewed}`)
  await page
    .getByText('clock corrected −5.1 s')
    .or(page.getByText(/clock corrected −\d/))
    .first()
    .waitFor()
})

test('an error shows its spans, and the trace links to its errors', async () => {
  const read = async (path = '') =>
    (await (await page.request.get(hydrant.url + path)).text()).replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '')
  const issue = await read(/href="(\/acme\/issues\/\d+)[?"]/.exec(await read('/acme/issues'))?.[1])
  const section = issue.slice(issue.indexOf('id="trace"'))
  expect(section.match(/class="[^"]*\bwfr\b/g)?.length).toBeGreaterThan(1)
  // The rows around the error take as long as the head says, of the whole trace.
  expect(/<header.*?<\/header>/s.exec(section)?.[0].replaceAll(/<[^>]*>/g, '')).toMatch(
    /spans, [\d.]+ m?s( of [\d.]+ m?s)?/,
  )
  const [, href] = /<a [^>]*href="(\/acme\/traces\/[^"#]+)[^"]*"[^>]*>(?:<[^>]*>)*Open trace/.exec(section) ?? []
  const trace = await read(href)
  expect(trace.slice(trace.indexOf('terrors'))).toMatch(/href="\/acme\/issues\/\d+\/events\/[0-9a-f]{32}/)
})

test('log lines are shown in their span', async () => {
  await open(`/${folded}#span-${hexId(1)}`)
  await page.locator(`#span-${hexId(1)} .ct`, { hasText: '1 log' }).waitFor()
  await page.locator('.drawer .loglines', { hasText: 'forty queries for one page' }).waitFor()
})

longTest('the list has one row per trace, sorted by its heads, in pages', async () => {
  const traceIds = Array.from({ length: 60 }, (_, index) => (0xf00 + index).toString(16).padStart(32, '1'))
  for (const [index, traceId] of traceIds.entries())
    await sendSpans(to, {
      ...{ traceId, beganAt: beganAt + index },
      spans: [
        { ...request, name: 'GET /paged', durationMs: 100 + index },
        { ...request, id: 2, parent: 1, name: 'GET /paged/part', durationMs: 20, isFailed: index === 7 },
      ],
    })
  await hydrant.drained()
  await open(`?q=${encodeURIComponent('is:segment name:"GET /paged*"')}`)
  const table = page.getByRole('region', { name: 'Traces' })
  const hrefs = () => traceLinks().evaluateAll(links => links.map(link => link.getAttribute('href')?.slice(13, 45)))
  const first = await hrefs()
  expect(first.length).toBe(50)
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'First page' }).waitFor()
  expect(new Set([...first, ...(await hrefs())])).toEqual(new Set(traceIds))
  await table.getByRole('columnheader', { name: 'Duration' }).getByRole('link').click()
  await page.waitForURL(/sort=slowest/)
  await expect.poll(async () => (await hrefs())[0]).toBe(traceIds[59])
  expect(await table.getByRole('columnheader', { name: 'Duration' }).getAttribute('aria-sort')).toBe('descending')
  await table.getByRole('columnheader', { name: 'Failed' }).getByRole('link').click()
  await expect.poll(async () => (await hrefs())[0]).toBe(traceIds[7])
  expect(await table.getByRole('row').nth(1).textContent()).toContain('+1')
})

testTraceLooks(() => ({ hydrant, context, page, to, beganAt, request, pageLoad, folded, open, ready, row }))

longTest('axe finds nothing in a trace with an opened span, light or dark, wide or narrow', async () => {
  // every-page.test.ts checks the other states.
  const other = await context.newPage()
  await open(`/${folded}#span-${hexId(30)}`, other)
  await other.locator('.drawer dl').first().waitFor()
  for (const [colorScheme, width, look] of [
    ['light', 1440, 'all'],
    ['dark', 1440, 'colors'],
    ['light', 390, 'layout'],
  ] as const) {
    await other.emulateMedia({ colorScheme })
    await other.setViewportSize({ width, height: 900 })
    expect(await findBarriers(other, { look }), `${colorScheme} ${width}`).toEqual([])
    expect(await other.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  await other.close()
})

longTest('the list and a trace work without JavaScript', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() })
  const bare = await plain.newPage()
  await bare.goto(`${hydrant.url}/acme/traces`)
  await bare.fill('input[name=q]', 'is:segment name:"GET /report"')
  await bare.press('input[name=q]', 'Enter')
  await bare.waitForURL(/q=/)
  await traceLinks(bare).first().click()
  await bare.waitForURL(/traces\/[0-9a-f]{32}/)
  expect(await bare.locator('.plain .wfr').count()).toBe(200)
  expect(await bare.locator('.plain > p').textContent()).toContain('Showing the first 200 rows')
  expect(await bare.locator('.wfpage').isVisible()).toBe(false)
  await bare.locator('.plain .wfr a').first().click()
  await bare.waitForURL(/span=[0-9a-f]{16}#span$/)
  expect(await bare.locator('#span').textContent()).toMatch(/GET \/report.*Attributes/s)
  await plain.close()
})

longTest('hostile span data is shown as text', async () => {
  const evil = '<img src=x onerror="window.__hostile=1">\n\u202egnp.exe'
  const traceId = 'e'.repeat(32)
  const spans: SceneSpan[] = [
    { ...request, name: evil, op: evil, attributes: { [evil]: evil, 'url.full': 'javascript:alert(1)' } },
  ]
  await sendSpans(to, { traceId, beganAt, spans })
  await hydrant.drained()
  await open(`/${traceId}#span-${hexId(1)}`)
  await page.locator('.drawer dl').first().waitFor()
  expect(await page.locator('.drawer').textContent()).toContain('⟨202E⟩')
  expect(await page.evaluate(() => (window as { __hostile?: number }).__hostile)).toBeUndefined()
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
})

test('no page threw', () => {
  expect(faults).toEqual([])
})
