import { encodeSent } from '../faults/envelopes.ts'

/** Posts one error, as an SDK with this DSN would, and gives the status; 0 if the request failed. */
export async function postEvent(dsn: string, eventId: string): Promise<number> {
  const { origin, username, pathname } = new URL(dsn)
  const body = encodeSent({ kind: 'event', id: eventId, attachmentBytes: 0 }, Date.now())
  const address = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
  const response = await fetch(address, { method: 'POST', body: new Uint8Array(body) }).catch(() => null)
  await response?.text()
  return response?.status ?? 0
}
