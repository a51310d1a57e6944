import type { Page, Request } from 'playwright-core'
import { open, order, press, request } from './shop-actions.ts'
import { tracingEnded } from './tracing-ended.ts'

export type ShopStep = {
  /** What the visitor does, in words. */
  name: string
  walk: (page: Page, shopUrl: string) => Promise<void>
  /** `exception.value` or `message` of the expected events. */
  errors?: string[]
  /** Names of the expected segment spans of server and browser. */
  segments?: string[]
  /** Names of other expected spans. */
  spans?: string[]
  logs?: string[]
  metrics?: string[]
}

/** A visit that makes the shop send every kind of item that an instrumented Next.js app sends. */
export const shopWalk: ShopStep[] = [
  {
    name: 'opens the home page and looks around while links are prefetched',
    walk: async (page, shopUrl) => {
      await page.goto(shopUrl)
      await page.getByRole('heading', { name: 'For people' }).waitFor()
      await tracingEnded(page)
    },
    segments: ['GET /', '/'],
  },
  {
    name: 'follows a link to an item and goes back',
    walk: async page => {
      await page.getByRole('link', { name: 'Copper watering can' }).click()
      await page.getByRole('heading', { name: 'Copper watering can' }).waitFor()
      await tracingEnded(page)
      await page.goBack()
      await page.getByRole('heading', { name: 'For people' }).waitFor()
    },
    segments: ['/items/:id'],
  },
  {
    name: 'loads an item by its address',
    walk: (page, shopUrl) => open(page, `${shopUrl}/items/pot`, 'Terracotta pot'),
    segments: ['GET /items/[id]'],
  },
  {
    name: 'reads the care guide, a catch-all route',
    walk: async (page, shopUrl) => {
      await open(page, `${shopUrl}/docs/care/watering`, 'Care guide: care / watering')
      await page.getByRole('link', { name: 'Repotting in spring' }).click()
      await page.getByRole('heading', { name: 'care / repotting / spring' }).waitFor()
    },
    segments: ['GET /docs/[...slug]', '/docs/:slug*'],
  },
  {
    name: 'is redirected from an old address',
    walk: (page, shopUrl) => open(page, `${shopUrl}/old-catalogue`, 'For people'),
    segments: ['GET /old-catalogue'],
  },
  {
    name: 'asks for a page and an item that are not there',
    walk: async (page, shopUrl) => {
      await open(page, `${shopUrl}/nowhere`, 'Not here')
      await open(page, `${shopUrl}/items/unknown`, 'Not here')
    },
    segments: ['GET /_not-found'],
  },
  {
    name: 'presses the buttons that go wrong in the browser',
    walk: async (page, shopUrl) => {
      await open(page, `${shopUrl}/client-error`, 'Errors')
      await press(page, 'Throw', 'Reject', 'Message', 'Exception with a cause', 'Exception with an attachment')
      await press(page, 'Ignored exception')
    },
    errors: [
      'The basket has no total',
      'The voucher service did not answer',
      'The basket was left behind',
      'Postcode 00000 is outside every zone',
      'Shipping could not be priced',
      'The receipt could not be printed',
    ],
    segments: ['/client-error'],
  },
  {
    name: 'opens a page that hydrates wrongly',
    walk: (page, shopUrl) => open(page, `${shopUrl}/hydration`, 'Hydration'),
    errors: ['Minified React error #418'],
    segments: ['GET /hydration'],
  },
  {
    name: 'presses the buttons that send signals',
    walk: async (page, shopUrl) => {
      const replay = page.waitForRequest(carriesReplay)
      await open(page, `${shopUrl}/signals`, 'Signals')
      await press(page, 'Logs', 'Metrics', 'Feedback', 'Feedback with a screenshot', 'Span')
      await request(page, 'Route handler', '/api/items/pot answered 200')
      await request(page, 'Failing route handler', '/api/fail answered 500')
      await request(page, 'Server logs and metrics', '/api/signals answered 200')
      await request(page, 'Check-in', '/api/restock answered 200')
      await request(page, 'Edge route handler', '/api/edge answered 200')
      await replay // the recorder collects for five seconds before it sends
    },
    errors: ['The payment provider refused the card', 'Asked at the edge'],
    segments: ['GET /api/items/[id]', 'POST /api/fail', 'POST /api/signals', 'POST /api/restock'],
    spans: ['wrap a gift', 'SELECT items'],
    logs: ['Basket opened', 'Only 3 pots left', 'The printer is out of paper'],
    metrics: ['basket.opened', 'basket.value', 'queue.length'],
  },
  {
    name: 'orders, subscribes, and sends an order that is refused',
    walk: async (page, shopUrl) => {
      await open(page, `${shopUrl}/order`, 'Order')
      await order(page)
    },
    errors: ['An order needs at least one pot'],
    segments: ['POST /order', 'submitOrder'],
    logs: ['Order placed'],
    metrics: ['orders'],
  },
  {
    name: 'opens a page whose server component throws',
    walk: (page, shopUrl) => open(page, `${shopUrl}/boom`, 'Something went wrong'),
    errors: ['The winter shelf could not be loaded', 'Minified React error #441'],
    segments: ['GET /boom'],
  },
]

function carriesReplay(request: Request): boolean {
  return request.url().endsWith('/monitoring') && request.postDataBuffer()?.includes('replay_recording') === true
}
