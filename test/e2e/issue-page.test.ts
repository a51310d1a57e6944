/** An issue in a real browser: peek, page, hash links, hostile payloads, errors, and no JavaScript. */

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { livesOf } from '../faults/children.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { findBarriers } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { hostileEvent, shopEvent } from './issue-events.ts'
import { testActions } from './issue-suites/actions.ts'
import { testComments } from './issue-suites/comments.ts'
import { testFailures } from './issue-suites/failures.ts'
import { testLooks } from './issue-suites/looks.ts'
import { testScope } from './issue-suites/scope.ts'
import { postEnvelope } from './post-envelope.ts'

let hydrant: Hydrant
let browser: Browser
let context: BrowserContext
let page: Page
let dsn: string
const faults: string[] = []

beforeAll(async () => {
  hydrant = await borrowHydrant()
  dsn = (await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)).dsn
  for (let number = 0; number < 3; number++) await postEnvelope(dsn, shopEvent(number), ['<script>alert(1)</script>'])
  await postEnvelope(dsn, { ...shopEvent(3), environment: 'staging' })
  await postEnvelope(dsn, hostileEvent())
  await hydrant.drained()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  page.on('pageerror', error => void faults.push(error.message))
  await signIn(page, hydrant.url)
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const at = (path: string) => `${hydrant.url}${path}`
/** Loaded once for the tests that only look at it. */
async function showIssue(): Promise<void> {
  if ((await page.locator('.brush').count()) === 0) await page.goto(at('/acme/issues/WEB-1'))
  await hydrated(page)
}

longTest('a row opens a peek; Escape and Back close it, and a reload shows the page', async () => {
  await page.goto(at('/acme/issues?project=web'))
  await hydrated(page)
  await page.getByRole('link', { name: /Could not place order/ }).click()
  const peek = page.getByRole('complementary', { name: 'Issue WEB-1' })
  await peek.getByText('Where it broke').waitFor()
  expect(await page.locator('.ilist').isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await peek.waitFor({ state: 'detached' })
  expect(page.url()).toContain('/acme/issues?project=web')
  if (isLong) {
    await page.goForward()
    await peek.waitFor()
    await page.goBack()
    await peek.waitFor({ state: 'detached' })
  }
  await page.getByRole('link', { name: /Could not place order/ }).click()
  await peek.waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Could not place order' }).waitFor()
  expect(await page.locator('.ilist').count()).toBe(0)
})

longTest('the peek shows title and actions at once, and the event when telemetry has answered', async () => {
  await page.goto(at('/acme/issues?project=web&range=7d'))
  await hydrated(page)
  const peek = page.getByRole('complementary', { name: 'Issue WEB-1' })
  const engine = livesOf(hydrant, 'engine').at(-1) ?? 0
  process.kill(engine, 'SIGSTOP')
  try {
    await page.getByRole('link', { name: /Could not place order/ }).click()
    await peek.getByRole('heading', { name: 'Could not place order' }).waitFor()
    await peek.getByRole('button', { name: /^Resolve/ }).waitFor()
    await peek.getByRole('status', { name: 'Loading' }).waitFor()
  } finally {
    process.kill(engine, 'SIGCONT')
  }
  await peek.getByText('Where it broke').waitFor()
  expect(await peek.getByRole('status', { name: 'Loading' }).count()).toBe(0)
})

/** Where the server sends the browser. */
async function redirectOf(path: string): Promise<string> {
  const answer = await page.request.get(at(path), { maxRedirects: 0 })
  expect(answer.status(), path).toBe(307)
  return answer.headers().location ?? ''
}

test('a short id redirects to the issue, with path and query', async () => {
  expect(await redirectOf('/acme/issues/WEB-1')).toMatch(/\/acme\/issues\/\d+$/)
  expect(await redirectOf('/acme/issues/WEB-1?range=30d&stack=raw')).toMatch(/\/issues\/\d+\?range=30d&stack=raw$/)
  expect(await redirectOf('/acme/issues/WEB-1/events/latest?stack=raw')).toMatch(
    /\/issues\/\d+\/events\/latest\?stack=raw$/,
  )
  expect((await page.request.get(at('/acme/issues/NOPE-1'))).status()).toBe(404)
})

test('latest, oldest, newer and older link to other events', async () => {
  const oldest = await readPage('/acme/issues/WEB-1/events/oldest')
  const newer = await readPage(oldest.hrefOf(/^Newer event/))
  expect(newer.eventId).not.toBe(oldest.eventId)
  expect((await readPage(newer.hrefOf(/^Older event/))).eventId).toBe(oldest.eventId)
  const latest = await readPage((await readPage('/acme/issues/WEB-1')).hrefOf(/^Latest$/))
  expect([oldest.eventId, newer.eventId]).not.toContain(latest.eventId)
})

/** The event that a page is about, and where its links lead, without scripts. */
async function readPage(path: string) {
  const html = (await (await page.request.get(at(path))).text()).replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '')
  const links = [...html.matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)].map(([, tag = '', text = '']) => ({
    href: /href="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? '',
    name: /aria-label="([^"]*)"/.exec(tag)?.[1] ?? text.replaceAll(/<[^>]*>/g, ''),
  }))
  return {
    eventId: /class="[^"]*evid[^"]*".*?([0-9a-f]{8,32})</s.exec(html)?.[1],
    hrefOf: (name: RegExp) => links.find(link => name.test(link.name))?.href ?? `no link ${name}`,
  }
}

longTest('dragging over the chart puts the time range into the URL', async () => {
  await showIssue()
  const box = await page.locator('.brush').boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 1, box.y + 40, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL(/start=\d+&end=\d+/)
  await page.getByText(/4 events and \d users between .* UTC\./).waitFor()
})

longTest('the chart says what a bar holds: by pointer, by key and by touch, and nothing moves', async () => {
  await page.goto(at('/acme/issues/WEB-1'))
  await hydrated(page)
  const chart = page.getByRole('slider', { name: 'Events over time' })
  const below = () => page.locator('.evid').boundingBox()
  const before = await below()
  const count = Number(await chart.getAttribute('aria-valuemax'))
  const readings: string[] = []
  await chart.focus()
  await page.keyboard.press('Home')
  for (let bucket = 1; bucket <= count; bucket++) {
    await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe(String(bucket))
    readings.push((await chart.getAttribute('aria-valuetext')) ?? '')
    await page.keyboard.press('ArrowRight')
  }
  const counts = readings.map(reading => Number(/ UTC, (\d+) events?/.exec(reading)?.[1]))
  // The table behind the chart is folded, so it has no role yet.
  const listed = (await page.locator('.astable tbody .num').allTextContents()).map(Number)
  expect(listed.length).toBeGreaterThan(0)
  expect(counts.filter(each => each > 0)).toEqual(listed)
  expect(readings.join()).toContain('web@4.18.')
  expect(await below()).toEqual(before)
  expect(await findBarriers(page, { within: '.otime' })).toEqual([])
  await page.keyboard.press('Escape')
  const full = counts.findIndex(each => each > 0)
  const text = `${counts[full]} event${counts[full] === 1 ? '' : 's'}`
  const placeIn = (box: { x: number; y: number; width: number } | null) =>
    [(box?.x ?? 0) + ((full + 0.5) / count) * (box?.width ?? 0), (box?.y ?? 0) + 40] as const
  await page.mouse.move(...placeIn(await chart.boundingBox()))
  await chart.getByText(text, { exact: true }).waitFor()
  await chart.getByText(/^\d{4}-\d\d-\d\d .* UTC$/).waitFor()
  expect(await below()).toEqual(before)
  await page.mouse.move(700, 700)
  await chart.getByText(text, { exact: true }).waitFor({ state: 'detached' })
  const phone = await browser.newContext({ hasTouch: true, storageState: await context.storageState() })
  const touched = await phone.newPage()
  await touched.goto(at('/acme/issues/WEB-1'))
  await hydrated(touched)
  const place = await touched.getByRole('slider', { name: 'Events over time' }).boundingBox()
  await touched.touchscreen.tap(...placeIn(place))
  await touched.getByRole('slider', { name: 'Events over time' }).getByText(text, { exact: true }).waitFor()
  await phone.close()
})

longTest('a link to a folded frame or an older breadcrumb unfolds and marks it', async () => {
  await page.goto(at('/acme/issues/WEB-1'))
  const folded = await page.locator('.fold-frames .frame').first().getAttribute('id')
  expect(await page.locator(`#${folded}`).isVisible()).toBe(false)
  for (const id of [folded, 'crumb-3']) {
    await page.goto('about:blank')
    await page.goto(at(`/acme/issues/WEB-1#${id}`))
    const target = page.locator(`#${id}`)
    await expect.poll(() => target.getAttribute('class')).toContain('marked')
    expect(await target.isVisible()).toBe(true)
    const box = await target.boundingBox()
    expect(box && box.y > 0 && box.y < 900).toBe(true)
  }
})

longTest('breadcrumbs can be searched and filtered by kind', async () => {
  await showIssue()
  await page.getByRole('button', { name: 'Network' }).click()
  expect(await page.locator('.crumbs li').count()).toBeLessThan(30)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search breadcrumbs' }).fill('log line 42')
  await expect.poll(() => page.locator('.crumbs li').count()).toBe(1)
})

longTest('the stack can show all frames or the raw stack', async () => {
  await page.goto(at('/acme/issues/WEB-1'))
  await page.getByRole('link', { name: 'Raw', exact: true }).click()
  await page.waitForURL('**stack=raw')
  expect(await page.locator('.rawstack').first().textContent()).toContain('at wrap (app/checkout/wrap.ts:51:9)')
  await page.getByRole('link', { name: 'All frames' }).click()
  await page.waitForURL('**stack=all')
  await expect.poll(() => page.locator('.fold-frames').count()).toBe(0)
})

testActions(() => ({ hydrant, page, faults, at }))
testScope(() => ({ hydrant, page, faults, at }))
testComments(() => ({ hydrant, page, faults, at }))
testLooks(() => ({ hydrant, page, faults, at }))

longTest('a tag value links to a search for issues with it', async () => {
  await page.goto(at('/acme/issues/WEB-1'))
  await page.getByText('share of the events that have the tag; the tick').waitFor()
  await page.locator('#tags summary', { hasText: 'plan' }).click()
  await page.locator('#tags').getByRole('link', { name: 'All issues with plan pro' }).click()
  await page.waitForURL(/q=plan%3Apro/)
  await page.getByText('1 issue', { exact: true }).waitFor()
})

longTest('nothing of a hostile event runs, and its text does not make the page wider', async () => {
  const response = await page.goto(at('/acme/issues/WEB-2'))
  const html = (await response?.text()) ?? ''
  expect(html.length).toBeLessThan(1_500_000)
  expect(await page.evaluate(() => '__hostile' in window)).toBe(false)
  expect(await page.locator('a[href^="javascript:" i], main img, main iframe').count()).toBe(0)
  expect(await page.getByText(/more characters\)/).count()).toBeGreaterThan(0)
  expect(await page.locator('h1').textContent()).toContain('⟨202E⟩')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440)
})

test('hostile titles, tags, frames and context lines are shown as shortened text', async () => {
  const html = await (await page.request.get(at('/acme/issues/WEB-2'))).text()
  expect(html.length).toBeLessThan(1_500_000)
  const [main = ''] = /<main[ >].*<\/main>/s.exec(html.replaceAll(/<script.*?<\/script>/gs, '')) ?? []
  expect(main).toMatch(/<h1.*⟨202E⟩.*<\/h1>/s)
  expect(main).toContain('more characters)')
  expect(main).not.toMatch(/<(?:img|iframe)[ >]|href="\s*javascript:/i)
})

test('an attachment is downloaded and never rendered', async () => {
  const html = await (await page.request.get(at('/acme/issues/WEB-1/events/oldest'))).text()
  const [href = ''] = /\/acme\/issues\/\d+\/events\/[0-9a-f]{32}\/attachments\/[\w-]+/.exec(html) ?? []
  const file = await page.request.get(at(href))
  expect(await file.text()).toBe('<script>alert(1)</script>')
  expect(file.headers()).toMatchObject({
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-disposition': expect.stringContaining('attachment;'),
  })
})

longTest(
  'an error that server and browser report to two projects is an issue in each, with links between them',
  async () => {
    const server = (await hydrant.init('--org', 'acme', '--project', 'shop-server')).dsn
    const contexts = { trace: { trace_id: 'e'.repeat(32), span_id: 'b'.repeat(16) } }
    const error = (value: string) => ({ contexts, exception: { values: [{ type: 'Error', value }] } })
    await postEnvelope(server, { platform: 'node', transaction: 'GET /shelf', ...error('The winter shelf is empty') })
    const browserError = error('Minified React error #441; visit https://react.dev/errors/441')
    await postEnvelope(dsn, { platform: 'javascript', transaction: '/shelf', ...browserError })
    await hydrant.drained()
    await page.goto(at('/acme/issues/SHOP-SERVER-1'))
    await page.getByText('Seen in browsers as').getByRole('link').click()
    await page.locator('#server').getByText('Reported to another project').waitFor()
    expect(await page.locator('#server').textContent()).toContain('The winter shelf is empty')
    const back = page.locator('#server').getByRole('link', { name: /^SHOP-SERVER-1/ })
    expect((await page.request.get(at((await back.getAttribute('href')) ?? ''))).status()).toBe(200)
  },
)

test('the page and its forms work without JavaScript', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() })
  const still = await plain.newPage()
  await still.goto(at('/acme/issues?project=web'))
  await still.getByRole('link', { name: /Could not place order/ }).click()
  await still.getByRole('heading', { name: 'Stack trace' }).waitFor()
  for (const name of ['Breadcrumbs', 'Context', 'Tags', 'Why these events are grouped'])
    expect(await still.getByRole('heading', { name, exact: true }).first().isVisible(), name).toBe(true)
  await still.locator('summary', { hasText: 'Archive' }).click()
  await still.getByLabel('Amount').press('Enter')
  await still.locator('summary[aria-label="More actions"]').click()
  await still.getByLabel('Short ID of the other issue').press('Enter')
  await still.getByRole('button', { name: /^Resolve/ }).click()
  await still.locator('.kind .badge.ok').waitFor()
  await still.getByRole('button', { name: /^Reopen/ }).click()
  await still.getByRole('button', { name: /^Resolve/ }).waitFor()
  await plain.close()
})

longTest('axe finds nothing on the page of a hostile event, wide or narrow', async () => {
  // every-page.test.ts checks the other pages and themes.
  await page.goto(at('/acme/issues/WEB-1'))
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await findBarriers(page, { look: 'layout' }), String(width)).toEqual([])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide, `${width} scrolls sideways`).toBeLessThanOrEqual(width)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
})

testFailures(() => ({ hydrant, page, faults, at }))
