// Captures the same error with @sentry/node, once for each release in a line of its input: `node released-sdk.mjs <dsn>`.
import { createInterface } from 'node:readline'
import * as Sentry from '@sentry/node'

const [dsn] = process.argv.slice(2)

function payForCart() {
  throw new TypeError('The cart has no currency')
}

for await (const release of createInterface({ input: process.stdin })) {
  Sentry.init({ dsn, release, tracesSampleRate: 0 })
  try {
    payForCart()
  } catch (error) {
    Sentry.captureException(error)
  }
  await Sentry.close(5_000)
}
