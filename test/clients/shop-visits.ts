/** Visits to the shop for its recording: each shows something that an app in production reports. */
import type { BrowserContext, Page } from 'playwright-core'
import { recordedFeedback } from '#cli/seed/captures/capture-file.ts'
import { writeFeedback } from './feedback-widget.ts'
import { open as openPage, order, press, request } from './shop-actions.ts'
import { tracingEnded } from './tracing-ended.ts'

export type ShopVisit = {
  name: string
  walk: (context: BrowserContext, shop: { url: string; deploy(): Promise<void> }) => Promise<void>
}

/** The recorder in the page collects for five seconds before it sends. */
const recordedMs = 6_000

const onePage =
  (walk: (page: Page, url: string) => Promise<void>): ShopVisit['walk'] =>
  async (context, { url }) => {
    const page = await context.newPage()
    await walk(page, url)
    await page.waitForTimeout(recordedMs)
    await page.goto('about:blank') // leaving the page makes the SDK flush
  }

export const shopVisits: readonly ShopVisit[] = [
  {
    name: 'browse',
    walk: onePage(async (page, url) => {
      await open(page, url, 'For people')
      await follow(page, 'Copper watering can', 'Copper watering can')
      await goBack(page, 'For people')
      await follow(page, 'Care guide', 'Care guide: care / watering')
      await follow(page, 'Repotting in spring', 'care / repotting / spring')
      await open(page, `${url}/gallery`, 'Gallery')
      await page.waitForTimeout(1_000)
      await follow(page, 'Fern', 'fern over the gallery')
      await goBack(page, 'Gallery')
      await follow(page, 'Shelf, fetched ahead', 'Shelf')
      await goBack(page, 'Gallery')
      await follow(page, 'Top shelf, fetched at the click', 'top / left')
    }),
  },
  {
    name: 'order',
    walk: onePage(async (page, url) => {
      await open(page, `${url}/items/pot`, 'Terracotta pot')
      await follow(page, 'Order', 'Order')
      await order(page)
    }),
  },
  {
    name: 'hydration',
    walk: onePage(async (page, url) => {
      await open(page, url, 'For people')
      await open(page, `${url}/mismatch/clock`, 'Mismatch')
      await page.waitForTimeout(recordedMs)
      await open(page, `${url}/hydration`, 'Hydration')
    }),
  },
  {
    name: 'failures',
    walk: onePage(async (page, url) => {
      await open(page, `${url}/failures`, 'Failures')
      await page.getByLabel('Name of the basket').fill('')
      await press(page, 'Rename')
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
      await page.waitForTimeout(recordedMs)
      await open(page, `${url}/boom`, 'Something went wrong')
    }),
  },
  {
    name: 'errors',
    walk: onePage(async (page, url) => {
      await open(page, `${url}/client-error`, 'Errors')
      await press(page, 'Throw', 'Reject', 'Exception with a cause', 'Exception with an attachment')
    }),
  },
  {
    name: 'signals',
    walk: onePage(async (page, url) => {
      await open(page, `${url}/signals`, 'Signals')
      await press(page, 'Logs', 'Metrics', 'Span', 'Nothing happens', 'Nothing happens', 'Nothing happens')
      await request(page, 'Route handler', '/api/items/pot answered 200')
      await request(page, 'Failing route handler', '/api/fail answered 500')
      await request(page, 'Server logs and metrics', '/api/signals answered 200')
      await request(page, 'Check-in', '/api/restock answered 200')
      await request(page, 'Edge route handler', '/api/edge answered 200')
    }),
  },
  {
    name: 'feedback',
    walk: onePage(async (page, url) => {
      await open(page, `${url}/items/pot`, 'Terracotta pot')
      await writeFeedback(page, recordedFeedback)
    }),
  },
  {
    name: 'deploy',
    walk: async (context, { url, deploy }) => {
      const [gallery, basket] = [await context.newPage(), await context.newPage()]
      for (const tab of [gallery, basket]) await open(tab, `${url}/failures`, 'Failures')
      await deploy()
      await press(gallery, 'Open the gallery')
      await press(basket, 'Rename')
      await gallery.waitForTimeout(recordedMs)
      await open(basket, `${url}/failures`, 'Failures')
      await press(basket, 'Rename')
      for (const tab of [gallery, basket]) await tab.goto('about:blank')
    },
  },
]

async function open(page: Page, url: string, heading: string): Promise<void> {
  await openPage(page, url, heading)
  await tracingEnded(page)
}

async function follow(page: Page, link: string, heading: string): Promise<void> {
  await page.getByRole('link', { name: link, exact: true }).first().click()
  await page.getByRole('heading', { name: heading }).waitFor()
  await tracingEnded(page)
}

async function goBack(page: Page, heading: string): Promise<void> {
  await page.goBack()
  await page.getByRole('heading', { name: heading, exact: heading === 'Gallery' }).waitFor()
  await tracingEnded(page)
}
