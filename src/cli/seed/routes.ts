import type { ErrorName } from './errors.ts'

/** A page or route handler of the seeded shop, most visited first. */
export type Route = {
  pattern: string
  path: string
  method: 'GET' | 'POST'
  /** Route handlers have no page load in a browser. */
  isPage: boolean
  /** Typical response time of the server. */
  serverMs: number
  queries: readonly string[]
  /** Most frequent first. */
  errors: readonly [ErrorName, ErrorName, ErrorName, ErrorName]
}

/** For an hour of the last day all requests of this route fail with this error, so its issue escalates. */
export const outage = { pattern: '/api/checkout', error: 'pool' } satisfies { pattern: string; error: ErrorName }

const item = 'SELECT id, name, price_cents, stock FROM item WHERE id = $1'
const related = 'SELECT item_id FROM related_item WHERE id = $1 ORDER BY rank LIMIT 8'
const cart = 'SELECT item_id, quantity FROM cart_line WHERE cart_id = $1'
const order = 'SELECT id, status, total_cents FROM customer_order WHERE id = $1 AND user_id = $2'

export const routes: readonly Route[] = [
  {
    pattern: '/items/[id]',
    path: '/items/600600600',
    method: 'GET',
    isPage: true,
    serverMs: 120,
    queries: [item, related],
    errors: ['readPrice', 'hydration', 'itemGone', 'imageDecode'],
  },
  {
    pattern: '/',
    path: '/',
    method: 'GET',
    isPage: true,
    serverMs: 80,
    queries: ['SELECT id, name FROM item WHERE is_featured LIMIT 24'],
    errors: ['hydration', 'storage', 'headerHeight', 'bannerJson'],
  },
  {
    pattern: '/search',
    path: '/search',
    method: 'GET',
    isPage: true,
    serverMs: 210,
    queries: ['SELECT id, name FROM item WHERE search @@ $1 LIMIT 50', 'SELECT count(*) FROM item WHERE search @@ $1'],
    errors: ['searchTimeout', 'readFacet', 'abort', 'fetchCart'],
  },
  {
    pattern: '/api/cart',
    path: '/api/cart',
    method: 'POST',
    isPage: false,
    serverMs: 45,
    queries: [cart, 'UPDATE cart_line SET quantity = $1 WHERE cart_id = $2 AND item_id = $3'],
    errors: ['cartConflict', 'pool', 'stock', 'deadlock'],
  },
  {
    pattern: '/categories/[...slug]',
    path: '/categories/garden/hoses',
    method: 'GET',
    isPage: true,
    serverMs: 150,
    queries: ['SELECT id, name FROM item WHERE category_path <@ $1 LIMIT 48'],
    errors: ['readFacet', 'hydration', 'imageDecode', 'storage'],
  },
  {
    pattern: '/cart',
    path: '/cart',
    method: 'GET',
    isPage: true,
    serverMs: 95,
    queries: [cart, item],
    errors: ['quantity', 'fetchCart', 'hydration', 'storage'],
  },
  {
    pattern: '/checkout',
    path: '/checkout',
    method: 'GET',
    isPage: true,
    serverMs: 180,
    queries: [cart, 'SELECT id, street, city FROM address WHERE user_id = $1'],
    errors: ['payment', 'stripeLoad', 'addressForm', 'fetchCart'],
  },
  {
    pattern: '/api/checkout',
    path: '/api/checkout',
    method: 'POST',
    isPage: false,
    serverMs: 640,
    queries: [cart, 'INSERT INTO customer_order (user_id, total_cents) VALUES ($1, $2) RETURNING id'],
    errors: ['paymentDeclined', 'pool', 'stock', 'taxService'],
  },
  {
    pattern: '/orders/[id]',
    path: '/orders/600600600',
    method: 'GET',
    isPage: true,
    serverMs: 110,
    queries: [order],
    errors: ['orderMissing', 'hydration', 'dateFormat', 'fetchCart'],
  },
  {
    pattern: '/api/items/[id]/reviews',
    path: '/api/items/600600600/reviews',
    method: 'GET',
    isPage: false,
    serverMs: 60,
    queries: ['SELECT stars, body FROM review WHERE item_id = $1 ORDER BY id DESC LIMIT 20'],
    errors: ['reviewParse', 'pool', 'deadlock', 'itemGone'],
  },
  {
    pattern: '/account',
    path: '/account',
    method: 'GET',
    isPage: true,
    serverMs: 70,
    queries: ['SELECT id, name FROM account WHERE id = $1'],
    errors: ['sessionExpired', 'hydration', 'storage', 'abort'],
  },
  {
    pattern: '/api/webhooks/payment',
    path: '/api/webhooks/payment',
    method: 'POST',
    isPage: false,
    serverMs: 55,
    queries: [order],
    errors: ['signature', 'orderMissing', 'deadlock', 'taxService'],
  },
]
