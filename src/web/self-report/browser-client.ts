import {
  BrowserClient,
  dedupeIntegration,
  defaultStackParser,
  linkedErrorsIntegration,
  makeFetchTransport,
} from '@sentry/browser'

const patienceMs = 3_000

let client: BrowserClient | null = null
const arrived = new Set<string>()

/**
 * A lean client: errors only, through our own tunnel, without the global handlers that the page has already. Resolves to whether
 * the report was taken.
 */
export async function sendError(dsn: string, error: unknown): Promise<boolean> {
  client ??= openClient(dsn)
  const eventId = client.captureException(error)
  await client.flush(patienceMs)
  return arrived.has(eventId)
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
  opened.on('afterSendEvent', (event, response) => {
    if (event.event_id && response.statusCode === 200) arrived.add(event.event_id)
  })
  opened.init()
  return opened
}
