import {
  BrowserClient,
  dedupeIntegration,
  defaultStackParser,
  linkedErrorsIntegration,
  makeFetchTransport,
} from '@sentry/browser'

let client: BrowserClient | null = null

/** A lean client: errors only, through our own tunnel, without the global handlers that the page has already. */
export function sendError(dsn: string, error: unknown): void {
  client ??= openClient(dsn)
  client.captureException(error)
}

function openClient(dsn: string): BrowserClient {
  const opened = new BrowserClient({
    dsn,
    tunnel: '/tunnel/',
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [dedupeIntegration(), linkedErrorsIntegration()],
    sendClientReports: false,
  })
  opened.init()
  return opened
}
