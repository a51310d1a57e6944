// Captures the same error once with @sentry/node, as the given release: `node released-sdk.mjs <dsn> <release>`.
import * as Sentry from '@sentry/node'

const [dsn, release] = process.argv.slice(2)
Sentry.init({ dsn, release, tracesSampleRate: 0 })

function payForCart() {
  throw new TypeError('The cart has no currency')
}

try {
  payForCart()
} catch (error) {
  Sentry.captureException(error)
}
await Sentry.close(5_000)
