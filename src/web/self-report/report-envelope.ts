import { randomBytes } from 'node:crypto'
import { parseV8Stack } from './parse-v8-stack.ts'

export type ServerFault = { error: unknown; method: string; routePath: string; routeType: string }

/** One error event as an envelope. The path is the route's pattern: addresses may hold what should not be stored. */
export function reportEnvelope(dsn: string, fault: ServerFault, at: number): string {
  const eventId = randomBytes(16).toString('hex')
  const error = fault.error instanceof Error ? fault.error : new Error(String(fault.error))
  const event = {
    event_id: eventId,
    timestamp: at / 1_000,
    platform: 'node',
    level: 'error',
    transaction: `${fault.method} ${fault.routePath}`,
    tags: { 'route.type': fault.routeType, ...('digest' in error ? { digest: String(error.digest) } : {}) },
    exception: {
      values: [
        {
          type: error.name,
          value: error.message.slice(0, 4_000),
          mechanism: { type: 'onRequestError', handled: false },
          stacktrace: { frames: parseV8Stack(error.stack ?? '') },
        },
      ],
    },
  }
  return [{ event_id: eventId, dsn, sent_at: new Date(at).toISOString() }, { type: 'event' }, event]
    .map(part => JSON.stringify(part))
    .join('\n')
}
