import { setTimeout as wait } from 'node:timers/promises'
import { openBrowser } from '../open-browser.ts'
import { shopWalk } from './shop-walk.ts'
import { startShop } from './start-shop.ts'

export type ShopVisit = {
  steps: string[]
  errors: string[]
  segments: string[]
  spans: string[]
  logs: string[]
  metrics: string[]
  monitor: string
  feedback: string
  attachment: string
  itemTypes: string[]
}

const settleMs = 500
const flushMs = 6_000 // spans, logs and metrics wait up to five seconds in the SDKs

/** Starts the built shop, visits it with a real browser, and gives what Hydrant must have received. */
export async function driveShop(options: { hydrantUrl: string; dsn: string; shopDir: string }): Promise<ShopVisit> {
  const shop = await startShop({ ...options, env: { SHOP_REPLAY_SAMPLE_RATE: '1' } })
  try {
    await visit(shop.url)
    await wait(flushMs)
  } finally {
    await shop.stop()
  }
  return {
    steps: shopWalk.map(step => step.name),
    errors: shopWalk.flatMap(step => step.errors ?? []),
    segments: shopWalk.flatMap(step => step.segments ?? []),
    spans: shopWalk.flatMap(step => step.spans ?? []),
    logs: shopWalk.flatMap(step => step.logs ?? []),
    metrics: shopWalk.flatMap(step => step.metrics ?? []),
    monitor: 'restock',
    feedback: 'The pots arrived in one piece',
    attachment: 'receipt.txt',
    itemTypes: [
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
    ],
  }
}

async function visit(shopUrl: string): Promise<void> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    for (const step of shopWalk) {
      await step.walk(page, shopUrl).catch(error => {
        throw new Error(`The visitor of the shop who ${step.name} came to a stop`, { cause: error })
      })
      // Chromium drops unsent requests when the next page is opened.
      if (step.errors) await wait(settleMs)
    }
    // Leaving the page makes the SDK flush; the requests outlive the page for a moment.
    await page.goto('about:blank')
    await wait(1_000)
  } finally {
    await browser.close()
  }
}
