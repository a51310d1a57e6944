// Captures one error after the other with @sentry/node and prints the response status of each: `node limited-sdk.mjs <dsn> <count>`.
// An error that the SDK discarded because of a rate limit has no status.
import * as Sentry from '@sentry/node'

const [dsn, count] = process.argv.slice(2)
const statuses = []

Sentry.init({ dsn, tracesSampleRate: 0, defaultIntegrations: false })
Sentry.getClient().on('afterSendEvent', (_event, response) => statuses.push(response?.statusCode ?? null))

for (let number = 0; number < Number(count); number++) {
  Sentry.captureException(new Error(`Error ${number}`))
  await Sentry.flush(2_000)
}
process.stdout.write(`${JSON.stringify(statuses)}\n`)
// Discarded events are reported when the process is about to exit.
