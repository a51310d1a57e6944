/** The errors of the seeded shop. `at` lists the app's frames, the throwing one last. */
type ErrorFrame = readonly [file: string, fn: string, line: number, text: string]
export type ShopError = {
  side: 'browser' | 'server'
  type: string
  value: string
  handled?: boolean
  mechanism?: string
  contexts?: Record<string, object>
  at: readonly ErrorFrame[]
}

const browser = (type: string, value: string, ...at: ErrorFrame[]): ShopError => ({ side: 'browser', type, value, at })
const server = (type: string, value: string, ...at: ErrorFrame[]): ShopError => ({ side: 'server', type, value, at })
const caught = (error: ShopError): ShopError => ({ ...error, handled: true, mechanism: 'generic' })

const pay: ErrorFrame = [
  'app/api/checkout/route.ts',
  'POST',
  31,
  '  const receipt = await charge(cart, await request.json())',
]
const query: ErrorFrame = ['lib/db.ts', 'query', 18, '  const client = await pool.connect()']

/** A tab of an old release that asks for a file which the next deploy removed. */
export const staleTab = browser(
  'ChunkLoadError',
  'Loading chunk 4821 failed. (error: /_next/static/chunks/4821-9f2c1d.js)',
  ['ui/lazy-gallery.tsx', 'load', 4, "const Gallery = lazy(() => import('./gallery'))"],
)

export const shopErrors = {
  readPrice: browser('TypeError', "Cannot read properties of undefined (reading 'cents')", [
    'app/items/[id]/price.tsx',
    'Price',
    14,
    '  return <b>{formatPrice(item.price.cents)}</b>',
  ]),
  hydration: {
    ...browser(
      'Error',
      "Hydration failed because the server rendered text didn't match the client. As a result this tree will be regenerated on the client.",
      ['ui/rendered-at.tsx', 'RenderedAt', 6, '  return <time>{new Date().toLocaleTimeString()}</time>'],
    ),
    contexts: {
      hydrant_hydration: {
        server: '<p>Prices as of <time>9:41:07 AM</time></p>',
        client: '<p>Prices as of <time>9:41:08 AM</time></p>',
        path: 'body > main > footer > p',
      },
    },
  },
  itemGone: server(
    'NotFoundError',
    'No item 600600600',
    ['app/items/[id]/page.tsx', 'ItemPage', 12, '  const item = await getItem(params.id)'],
    ['catalogue/get-item.ts', 'getItem', 9, '  if (!row) throw new NotFoundError("No item " + id)'],
  ),
  headerHeight: browser('TypeError', "Cannot read properties of null (reading 'clientHeight')", [
    'ui/sticky-header.tsx',
    'StickyHeader',
    14,
    '    setOffset(header.current.clientHeight)',
  ]),
  bannerJson: browser('SyntaxError', 'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON', [
    'ui/banner.tsx',
    'loadBanner',
    22,
    '  return await response.json()',
  ]),
  searchTimeout: server(
    'TimeoutError',
    'The search index did not answer within 100 ms',
    ['app/search/page.tsx', 'SearchPage', 19, '  const hits = await search(query, { limit: 50 })'],
    ['search/search.ts', 'search', 41, '  return await withTimeout(index.query(text), 100)'],
  ),
  readFacet: browser('TypeError', 'facets.map is not a function', [
    'app/search/facets.tsx',
    'Facets',
    17,
    '      {facets.map(facet => (',
  ]),
  abort: caught(
    browser('AbortError', 'The user aborted a request.', [
      'ui/use-suggestions.ts',
      'suggest',
      11,
      '  const response = await fetch(url, { signal })',
    ]),
  ),
  cartConflict: caught(
    server('ConflictError', 'Cart changed since version 600600600', [
      'app/api/cart/route.ts',
      'POST',
      27,
      '    throw new ConflictError("Cart changed since version " + version)',
    ]),
  ),
  pool: server(
    'Error',
    'timeout exceeded when trying to connect',
    ['app/api/cart/route.ts', 'POST', 14, '  const lines = await query(selectCart, [cartId])'],
    query,
  ),
  stock: caught(
    server('OutOfStockError', 'Only 2 of item 600600600 left', [
      'cart/reserve.ts',
      'reserve',
      33,
      '  if (row.stock < quantity) throw new OutOfStockError(row)',
    ]),
  ),
  deadlock: server(
    'DatabaseError',
    'deadlock detected',
    ['cart/reserve.ts', 'reserve', 21, '  await query(updateStock, [quantity, itemId])'],
    query,
  ),
  imageDecode: browser('EncodingError', 'The source image cannot be decoded.', [
    'ui/picture.tsx',
    'Picture.useEffect',
    29,
    '    await image.decode()',
  ]),
  quantity: browser('RangeError', 'Invalid quantity: -1', [
    'app/cart/quantity-field.tsx',
    'onChange',
    25,
    '    if (next < 0) throw new RangeError("Invalid quantity: " + next)',
  ]),
  fetchCart: browser('TypeError', 'Failed to fetch', [
    'cart/use-cart.ts',
    'loadCart',
    16,
    "  const response = await fetch('/api/cart')",
  ]),
  storage: browser(
    'QuotaExceededError',
    "Failed to execute 'setItem' on 'Storage': Setting the value of 'cart' exceeded the quota.",
    ['cart/remember-cart.ts', 'rememberCart', 8, "  localStorage.setItem('cart', JSON.stringify(cart))"],
  ),
  payment: browser('PaymentError', 'Your card was declined.', [
    'app/checkout/pay-button.tsx',
    'onPay',
    38,
    '    throw new PaymentError(result.error.message)',
  ]),
  stripeLoad: browser('Error', 'Failed to load the payment form', [
    'app/checkout/load-form.ts',
    'loadForm',
    12,
    "  script.onerror = () => reject(new Error('Failed to load the payment form'))",
  ]),
  addressForm: browser('TypeError', "Cannot read properties of null (reading 'postalCode')", [
    'app/checkout/address-form.tsx',
    'validate',
    44,
    "  return address.postalCode.trim() !== ''",
  ]),
  paymentDeclined: caught(
    server('PaymentError', 'card_declined: insufficient_funds', pay, [
      'payment/charge.ts',
      'charge',
      52,
      '  if (!answer.ok) throw new PaymentError(answer.code)',
    ]),
  ),
  taxService: server(
    'FetchError',
    'request to http://tax.internal/v2/rates failed, reason: connect ECONNREFUSED',
    pay,
    ['payment/tax.ts', 'taxFor', 19, '  const response = await fetch(new URL("/v2/rates", taxUrl), { body })'],
  ),
  orderMissing: server(
    'NotFoundError',
    'No order 600600600',
    ['app/orders/[id]/page.tsx', 'OrderPage', 15, '  const order = await getOrder(params.id, session.userId)'],
    ['order/get-order.ts', 'getOrder', 11, '  if (!row) throw new NotFoundError("No order " + id)'],
  ),
  dateFormat: browser('RangeError', 'Invalid time value', [
    'app/orders/[id]/timeline.tsx',
    'Timeline',
    20,
    '  const day = format.format(new Date(step.at))',
  ]),
  reviewParse: server('ZodError', 'stars: Number must be less than or equal to 5', [
    'app/api/items/[id]/reviews/route.ts',
    'GET',
    18,
    '  return Response.json(reviews.parse(rows))',
  ]),
  sessionExpired: caught(
    server('SessionError', 'Session expired', [
      'auth/session.ts',
      'requireSession',
      24,
      "  if (session.expiresAt < now) throw new SessionError('Session expired')",
    ]),
  ),
  signature: server('SignatureError', 'Webhook signature does not match', [
    'app/api/webhooks/payment/route.ts',
    'POST',
    10,
    "  verify(body, request.headers.get('x-signature'))",
  ]),
} as const satisfies Record<string, ShopError>

export type ErrorName = keyof typeof shopErrors
