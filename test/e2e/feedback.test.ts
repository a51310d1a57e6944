/**
 * What the real SDK sends from another origin, up to the pages where it is read: what users write, and profiles. And saved views, which
 * every list has.
 */

import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { type SdkPage, serveSdkPage } from '../clients/serve-sdk-page.ts'
import { isLong, longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { openVisits, type Visits } from './open-visits.ts'

let hydrant: Hydrant
let browser: Browser
let context: BrowserContext
let page: Page
let visits: Visits
let shop: SdkPage
let dsn: string

/** A page that reports by itself, and that shows the dialog when React fails. */
const script = (dsn: string): string => `
  import * as Sentry from '@sentry/browser'
  import * as React from 'react'
  import { createRoot } from 'react-dom/client'
  Sentry.init({ dsn: ${JSON.stringify(dsn)}, release: 'shop@1.0.0', environment: 'production',
    integrations: [Sentry.browserTracingIntegration(), Sentry.browserProfilingIntegration()],
    tracesSampleRate: 1, profileSessionSampleRate: 1, profileLifecycle: 'trace' })
  window.Sentry = Sentry
  window.closings = 0
  window.fail = () => {
    const eventId = Sentry.captureException(new TypeError('total is undefined'))
    Sentry.showReportDialog({ eventId, title: 'Oh no', user: { name: 'Elin' }, onClose: () => window.closings++ })
  }
  const Broken = () => { throw new Error('React cannot render this') }
  window.breakReact = async () => createRoot(document.getElementById('root')).render(
    React.createElement((await import('error-boundary')).ErrorBoundary, { showDialog: true, fallback: React.createElement('p', null, 'Sorry') },
      React.createElement(Broken)))
  window.write = async (message, picture) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 80, height: 50 })
    canvas.getContext('2d').fillRect(5, 5, 30, 30)
    const blob = await new Promise(resolve => canvas.toBlob(resolve, 'image/png'))
    const data = new Uint8Array(await blob.arrayBuffer())
    const attachments = picture ? [{ filename: 'screenshot.png', data, contentType: 'application/png' }] : []
    Sentry.captureFeedback({ message, name: 'Oskar', email: 'oskar@shop.example' }, { attachments })
    return Sentry.flush(5000)
  }
  function formatPrices(ms) {
    const end = performance.now() + ms
    let text = ''
    while (performance.now() < end) text = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }).format(ms)
    return text
  }
  window.work = () => Sentry.startSpan({ name: 'open the item', op: 'ui.action', forceTransaction: true }, () =>
    Sentry.startSpan({ name: 'format prices', op: 'function' }, span => {
      formatPrices(300)
      return span.spanContext()
    }))
  window.isReady = true
`
type Shop = {
  work(): { traceId: string; spanId: string }
  fail(): void
  breakReact(): Promise<void>
  write(message: string, picture: boolean): Promise<boolean>
  closings: number
}
declare const window: Shop & { isReady?: boolean; hacked?: boolean }

beforeAll(async () => {
  hydrant = await borrowHydrant()
  ;({ dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda))
  shop = await serveSdkPage(script(dsn))
  browser = await openBrowser()
  visits = openVisits(browser)
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  await signIn(page, hydrant.url)
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
  await hydrant?.stop()
})

async function openShop(): Promise<Page> {
  const visit = await visits.begin()
  await visit.goto(shop.url)
  await visit.waitForFunction(() => window.isReady)
  return visit
}

/** One with the dialog, two with the SDK, and one with React's dialog in the long run. */
const written = isLong ? 4 : 3
const hostile = '<img src=x onerror="window.hacked = true"> **bold** [x](javascript:alert(1))'

test('the crash report dialog of the unmodified SDK opens on another origin and sends what the user wrote', async () => {
  const visit = await openShop()
  await visit.evaluate(() => window.fail())
  const dialog = visit.getByRole('dialog', { name: 'Oh no' })
  await dialog.waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Elin')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await dialog.getByRole('alert').getByText('Write what happened').waitFor()
  await dialog.getByLabel('Email').fill('elin@shop.example')
  await dialog.getByLabel('What happened?').fill('I pressed the button and everything was gone')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await dialog.getByText('Thank you').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await visit.waitForFunction(() => window.closings === 1)
  expect(await visit.getByRole('dialog').count()).toBe(0)
  await visits.end(visit)
})

longTest('showDialog of React’s ErrorBoundary opens it too', async () => {
  const visit = await openShop()
  await visit.evaluate(() => window.breakReact())
  const dialog = visit.getByRole('dialog', { name: 'Something went wrong' })
  await dialog.getByLabel('What happened?').fill('The whole page said sorry')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await dialog.getByText('Thank you').waitFor()
  await visits.end(visit)
})

longTest('feedback with a screenshot arrives, is read as text and answered by mail', async () => {
  const visit = await openShop()
  await visit.evaluate(words => window.write(words, true), hostile)
  await visit.evaluate(() => window.write('The coupon is not valid any more', false))
  await visits.end(visit)
  await hydrant.drained()

  await page.goto(`${hydrant.url}/acme/feedback`)
  await hydrated(page)
  const rows = page.getByRole('list', { name: 'Feedback' }).getByRole('link')
  await expect.poll(() => rows.count()).toBe(written)
  const rail = page.getByRole('navigation', { name: 'Main', exact: true })
  await rail.getByRole('link', { name: `Feedback ${written} unread` }).waitFor()
  await rows.filter({ hasText: 'onerror' }).click()
  const message = page.getByRole('article')
  await message.getByText(hostile).waitFor()
  const picture = message.getByRole('img', { name: 'What the user saw' })
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(80)
  expect(await page.evaluate(() => window.hacked)).toBeUndefined()
  expect(await message.getByRole('link', { name: 'Reply' }).getAttribute('href')).toMatch(
    /^mailto:oskar%40shop\.example\?/,
  )
  await expectNoBarriersWhenLong(page)

  const asked: string[] = []
  page.on('request', request => {
    if (request.headers().rsc === '1') asked.push(request.url())
  })
  await rows.filter({ hasText: 'everything was gone' }).click()
  await message.getByText('from the crash report dialog').waitFor()
  expect(asked).toHaveLength(1)
  await message.getByText(/About this error.*TypeError/).waitFor()
  await page.goto(`${hydrant.url}/acme/issues`)
  await page.getByRole('list', { name: 'Issues' }).getByText('total is undefined').waitFor()
  expect(await page.getByText('everything was gone').count()).toBe(0)
  // Two were opened; the last one is marked after its page was sent.
  const unread = new RegExp(`^Feedback [${written - 2}${written - 1}] unread`)
  await rail.getByRole('link', { name: unread }).waitFor()
})

longTest('a message is resolved, brought back, and put away as spam', async () => {
  await page.goto(`${hydrant.url}/acme/feedback`)
  await hydrated(page)
  const list = page.getByRole('list', { name: 'Feedback' })
  await list.getByRole('link').filter({ hasText: 'coupon' }).click()
  await page.getByRole('article').getByRole('button', { name: 'Resolve', exact: false }).first().click()
  await page.getByText('Issue resolved.').waitFor()
  await list.getByRole('link').filter({ hasText: 'coupon' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await list.getByRole('link').filter({ hasText: 'coupon' }).waitFor()
  await page.getByRole('article').getByRole('button', { name: 'Spam' }).click()
  await list.getByRole('link').filter({ hasText: 'coupon' }).waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Spam' }).click()
  await list.getByRole('link').filter({ hasText: 'coupon' }).waitFor()
})

longTest('a view is saved under a name, and the list opens with it', async () => {
  await page.goto(`${hydrant.url}/acme/issues?q=is%3Aunresolved+total&range=7d`)
  await hydrated(page)
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByText('Save view').click()
  await views.getByLabel('Name of the view').fill('Totals')
  await views.getByLabel('for everybody').check()
  await views.getByRole('button', { name: 'Save', exact: true }).click()
  const tab = views.getByRole('link', { name: 'Totals' })
  await tab.waitFor()
  expect(await tab.getAttribute('aria-current')).toBe('page')
  await expectNoBarriersWhenLong(page)
  await views.getByLabel('View Totals').click()
  await views.getByRole('button', { name: 'Open the list with it' }).click()
  const rail = page.getByRole('navigation', { name: 'Main', exact: true })
  await expect
    .poll(() => rail.getByRole('link', { name: 'Issues' }).getAttribute('href'))
    .toContain('q=is%3Aunresolved+total')
  await rail.getByRole('link', { name: 'Feedback' }).click()
  await page.waitForURL('**/feedback**')
  await rail.getByRole('link', { name: 'Issues' }).click()
  await page.waitForURL('**/issues?**total**')
  expect(await page.getByRole('combobox', { name: 'Search issues' }).inputValue()).toBe('is:unresolved total')
})

test('a span of the browser leads to its flame chart, cut to that span', async () => {
  const visit = await openShop()
  const { traceId, spanId } = await visit.evaluate(() => window.work())
  // The SDK stops the profiler some moments after the last segment, and then sends what it has.
  const path = `/acme/traces/${traceId}/spans/${spanId}`
  const profile = async () => {
    await hydrant.drained()
    return (await page.request.get(`${hydrant.url}${path}/profile/speedscope`)).status()
  }
  await expect.poll(profile, { timeout: 60_000, interval: 500 }).toBe(200)
  await visits.end(visit)

  const details = await (await page.request.get(hydrant.url + path)).json()
  expect(details.profileHref).toBe(`${path}/profile`)
  await page.goto(`${hydrant.url}${path}/profile`)
  await hydrated(page)
  await page.getByRole('heading', { name: 'format prices' }).waitFor()
  const rows = page.getByRole('table').getByRole('row')
  const own = rows.filter({ has: page.getByRole('button', { name: 'formatPrices' }) })
  await own.getByRole('button').click()
  await own.getByText('Called by').waitFor()
  const chart = page.getByRole('img', { name: /Flame chart/ })
  const isDrawn = () =>
    chart.evaluate((canvas: HTMLCanvasElement) =>
      canvas
        .getContext('2d')
        ?.getImageData(0, 0, canvas.width, canvas.height)
        .data.some(value => value !== 0),
    )
  await expect.poll(isDrawn).toBe(true)
  await expectNoBarriersWhenLong(page)
  await page.getByLabel('Find function').fill('formatPrices')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('link', { name: 'Only my code' }).click()
  await page.getByRole('link', { name: 'Show all code' }).waitFor()
  expect(await page.getByRole('button', { name: /startSpan/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'Merged' }).click()
  await page.waitForURL('**view=merged**')
  const file = await (await page.request.get(`${hydrant.url}${path}/profile/chrome`)).json()
  expect(
    file.nodes.some((node: { callFrame: { functionName: string } }) => node.callFrame.functionName === 'formatPrices'),
  ).toBe(true)
})

longTest('the list of profiles leads to what browser and Node have recorded', async () => {
  await sendNodeProfile()
  await page.goto(`${hydrant.url}/acme/profiles`)
  const table = page.getByRole('region', { name: 'Profiles' }).getByRole('table')
  await table.getByRole('row', { name: /open the item.*Browser.*web.*shop@1\.0\.0/ }).waitFor()
  await expectNoBarriersWhenLong(page)
  const search = page.getByRole('combobox', { name: 'Search spans' })
  await search.fill('route:"/items/[id]"')
  await search.press('Enter')
  await page.waitForURL('**/profiles?q=**')
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await table
    .getByRole('row', { name: /\/items\/\[id\].*Node.*web/ })
    .getByRole('link')
    .click()
  await page.waitForURL('**/profile')
  await page.getByText('Node profile, thread').waitFor()
  await page.getByRole('button', { name: 'relatedItems' }).waitFor()
})

/** A request and its chunk, as `@sentry/profiling-node` has sent them, as if it were now. */
async function sendNodeProfile(): Promise<void> {
  const read = async (name: string) =>
    JSON.parse(await readFile(new URL(`../fixtures/profiles/${name}.json`, import.meta.url), 'utf8'))
  const [spans, chunk] = [await read('node-spans'), await read('node-chunk')]
  const shift = Date.now() / 1_000 - 60 - chunk.profile.samples[0].timestamp
  for (const span of spans.items) {
    span.start_timestamp += shift
    span.end_timestamp += shift
  }
  for (const sample of chunk.profile.samples) sample.timestamp += shift
  const head = { type: 'span', item_count: 3, content_type: 'application/vnd.sentry.items.span.v2+json' }
  const lines = [{}, head, spans, { type: 'profile_chunk', platform: 'node' }, chunk]
  const { origin, username, pathname } = new URL(dsn)
  const response = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: lines.map(line => JSON.stringify(line)).join('\n'),
  })
  expect(response.status).toBe(200)
  await hydrant.drained()
}
