import {
  BrowserClient,
  dedupeIntegration,
  defaultStackParser,
  linkedErrorsIntegration,
  makeFetchTransport,
} from '@sentry/browser'

const timeoutMs = 3_000

let client: BrowserClient | null = null
const delivered = new Set<string>()

/** Sends an error through our own tunnel with a minimal client. Resolves to whether the server accepted it. */
export async function sendError(dsn: string, error: unknown): Promise<boolean> {
  client ??= openClient(dsn)
  const eventId = client.captureException(error)
  await client.flush(timeoutMs)
  return delivered.has(eventId)
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
    if (event.event_id && response.statusCode === 200) delivered.add(event.event_id)
  })
  opened.init()
  return opened
}
