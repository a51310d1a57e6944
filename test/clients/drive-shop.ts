import type { Browser } from 'playwright-core'
import { until } from '../start-hydrant.ts'
import { shopWalk } from './shop-walk.ts'
import { startShop } from './start-shop.ts'

export type ShopTelemetry = {
  errors: string[]
  segments: string[]
  spans: string[]
  logs: string[]
  metrics: string[]
  monitors: string[]
  feedback: string[]
  attachments: string[]
}

/** What Hydrant must have stored after a visit. */
const visited: ShopTelemetry = {
  errors: shopWalk.flatMap(step => step.errors ?? []),
  segments: shopWalk.flatMap(step => step.segments ?? []),
  spans: shopWalk.flatMap(step => step.spans ?? []),
  logs: shopWalk.flatMap(step => step.logs ?? []),
  metrics: shopWalk.flatMap(step => step.metrics ?? []),
  monitors: ['restock'],
  feedback: ['The pots arrived in one piece', 'This pot is upside down'],
  attachments: ['receipt.txt', 'screenshot.png'],
}

export const shopItemTypes: string[] = [
  'event',
  'span',
  'log',
  'trace_metric',
  'session',
  'sessions',
  'client_report',
  'attachment',
  'feedback',
  'replay_event',
  'replay_recording',
  'profile_chunk',
  'check_in',
]

type Options = {
  hydrantUrl: string
  dsn: string
  shopDir: string
  browser: Browser
  /** What of this Hydrant has not stored yet. */
  missingOf: (wanted: Partial<ShopTelemetry>) => Promise<string[]>
}

/** Starts the built shop and visits it with a real browser, which stays open until everything of the visit is stored. */
export async function driveShop({ browser, missingOf, ...options }: Options): Promise<void> {
  const shop = await startShop({ ...options, env: { SHOP_REPLAY_SAMPLE_RATE: '1' } })
  const context = await browser.newContext()
  const stored = async (wanted: Partial<ShopTelemetry>) => {
    let missing: string[] = []
    const isStored = async () => (missing = await missingOf(wanted)).length === 0
    await until(isStored).catch(cause => {
      throw new Error(`Hydrant has not stored ${missing.join(', ')}`, { cause })
    })
  }
  try {
    const page = await context.newPage()
    for (const { name, walk, errors } of shopWalk) {
      await walk(page, shop.url).catch(cause => {
        throw new Error(`The visitor of the shop who ${name} came to a stop`, { cause })
      })
      // Chromium drops unsent requests when the next page is opened.
      if (errors) await stored({ errors })
    }
    await page.goto('about:blank') // leaving the page makes the SDK flush
    await stored(visited)
  } finally {
    await context.close()
    await shop.stop()
  }
}
