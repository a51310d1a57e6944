/** Events for the tests of the issue page: one that a shop would send, and a hostile one. */
const source = {
  pre_context: [
    'export async function placeOrder(cart: Cart, form: FormData) {',
    '  const session = await requireSession()',
  ],
  context_line: '    data: { userId: session.userId, quoteId: quote.id, total: cart.total },',
  post_context: ['  })', '}'],
}
const own = (name: string) => ({
  function: name,
  filename: `app/checkout/${name}.ts`,
  lineno: 51,
  colno: 9,
  in_app: true,
  ...source,
  vars: { quote: null, service: 'express' },
})
const framework = (number: number) => ({
  function: `step${number}`,
  filename: 'node_modules/next/dist/server/base-server.js',
  lineno: number + 1,
  in_app: false,
})

export function shopEvent(number: number) {
  const now = Date.now() / 1e3
  return {
    timestamp: now - 10 + number,
    level: 'error',
    platform: 'node',
    release: `web@4.18.${number}`,
    environment: 'production',
    transaction: 'POST /checkout',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: "Cannot read properties of undefined (reading 'id')",
          mechanism: { type: 'generic', handled: false },
          stacktrace: { frames: [own('middleware'), framework(1), framework(2), framework(3), own('placeOrder')] },
        },
        { type: 'CheckoutError', value: 'Could not place order', stacktrace: { frames: [own('wrap')] } },
      ],
    },
    breadcrumbs: Array.from({ length: 100 }, (_, index) =>
      index % 5 === 0
        ? {
            timestamp: now - 100 + index,
            category: 'fetch',
            data: { method: 'POST', url: `/api/${index}`, status_code: 500 },
          }
        : { timestamp: now - 100 + index, category: 'console', message: `log line ${index}` },
    ),
    user: { id: `u${number}`, email: 'mira@example.com' },
    request: { url: 'https://shop.example.com/checkout', method: 'POST' },
    contexts: { flags: { values: [{ flag: 'express', result: true }] }, runtime: { name: 'node', version: 'v24' } },
    tags: { plan: 'pro' },
    extra: { cart: { items: [1, 2, 3] } },
  }
}

/** Just below the limit of the ingest endpoint. */
export function hostileEvent() {
  const evil =
    '<img src=x onerror="window.__hostile=1"><script>window.__hostile=1</script> javascript:alert(1) \u202egnp.exe\u200b '
  const frames = Array.from({ length: 2_000 }, (_, index) => ({
    function: `${evil}${index}`,
    filename: 'javascript:alert(1)',
    lineno: index + 1,
    in_app: index % 2 === 0,
    context_line: index === 1_999 ? 'x'.repeat(100_000) : 'y',
  }))
  return {
    exception: { values: [{ type: 'Error', value: evil + 'M'.repeat(200_000), stacktrace: { frames } }] },
    tags: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`tag${index}`, `${evil}${index}`])),
    breadcrumbs: Array.from({ length: 100 }, () => ({
      category: evil,
      message: evil.repeat(3),
      data: { url: 'javascript:alert(1)' },
    })),
    user: { email: evil, username: evil },
    request: { url: 'javascript:alert(1)' },
    contexts: { [evil]: { [evil]: evil } },
    extra: { [evil]: evil },
    release: evil,
  }
}
