// A program that reports with @sentry/node 10: `node node-sdk-10.mjs <dsn> [rejects|throws]`.
// SDK 10 and 11 may not share a process, hence two programs.
import * as Sentry from 'sentry-node-10'
import { recordSent } from './node-sdk-record.mjs'

const [dsn, ending] = process.argv.slice(2)

const record = recordSent(Sentry)
Sentry.init({
  dsn,
  release: 'worker@1.0.0',
  environment: 'test',
  tracesSampleRate: 1,
  enableLogs: true,
  sendDefaultPii: true,
  beforeSend: record.beforeSend,
})
record.watch(Sentry.getClient())

// Loaded after init, so that the SDK sees node:http being loaded.
const { playScenario } = await import('./node-sdk-scenario.mjs')
await playScenario(Sentry, { dsn, ending, program: import.meta.filename, record })
