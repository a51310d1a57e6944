import { randomBytes } from 'node:crypto'
import { projectDsn } from '#domain/projects/project-keys.ts'
import { findInternalKey } from '#domain/projects/unscoped-projects.ts'
import { isRequestEnded } from '#lib/read-signal.ts'
import { clipText } from '#lib/text.ts'
import { isTooBusy } from '#lib/turns.ts'
import { getRuntime } from '#runtime.ts'
import { postToTunnel } from '../send-own-event.ts'

const mayReport = createReportLimit({ perMinute: 20 })

/** Sends a server error to main's tunnel, as an SDK would. A failed report is only logged. */
export async function reportRequestError(fault: ServerFault): Promise<void> {
  const { config, control, log, clock } = getRuntime()
  if (isForeignOrigin(fault.error))
    return log.info({ route: fault.routePath }, 'server action from another origin rejected')
  if (isRequestEnded(fault.error)) return log.debug({ route: fault.routePath }, 'page ended with its request')
  if (isTooBusy(fault.error)) return log.warn({ route: fault.routePath }, 'page refused: too many reads are waiting')
  log.error({ route: fault.routePath, error: String(fault.error) }, 'page failed')
  if (!config.selfReport || !mayReport(limitKey(fault))) return
  try {
    const key = await findInternalKey(control)
    if (!key) return
    const body = reportEnvelope(projectDsn(config.publicUrl, key.publicKey, key.projectId), fault, clock.now())
    await postToTunnel(body)
  } catch (error) {
    log.warn({ error: String(error) }, 'self-report failed')
  }
}

/** Rendering an event may fail because of its content, and the report is an event too. So event pages report once a minute. */
function limitKey({ routePath, error }: ServerFault): string {
  return routePath.includes('[eventId]') ? routePath : `${routePath} ${String(error)}`
}

/** Next throws for a form from another origin. It is not reported, so that nobody can fill the internal project with such errors. */
function isForeignOrigin(error: unknown): boolean {
  return error instanceof Error && error.message === 'Invalid Server Actions request.'
}

export type ServerFault = { error: unknown; method: string; routePath: string; routeType: string }

/** One error event as an envelope. It contains the route pattern, because URLs may contain private data. */
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
          value: clipText(error.message, 4_000),
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

const minuteMs = 60_000

/** Prevents loops: limits the reports per minute, and the same report to one. */
export function createReportLimit({ perMinute, now = Date.now }: { perMinute: number; now?: () => number }) {
  let windowStart = 0
  let seen = new Set<string>()
  return (key: string): boolean => {
    if (now() - windowStart >= minuteMs) {
      windowStart = now()
      seen = new Set()
    }
    if (seen.has(key) || seen.size >= perMinute) return false
    seen.add(key)
    return true
  }
}

type Frame = { function: string; filename: string; lineno: number; colno: number; in_app: boolean }

const maxFrames = 50

/** Parses `at name (file:line:column)` lines; oldest call first, as in Sentry's protocol. */
export function parseV8Stack(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const line of stack.split('\n').slice(0, maxFrames)) {
    const call = /^\s*at (.+)$/.exec(line)?.[1] ?? ''
    const position = /:(\d{1,9}):(\d{1,9})\)?$/.exec(call)
    if (!position) continue
    const [, lineno, colno] = position
    const nameEnd = call.indexOf(' (')
    const filename = call.slice(nameEnd === -1 ? 0 : nameEnd + 2, position.index).replace(/^file:\/\//, '')
    frames.push({
      function: nameEnd === -1 ? '<anonymous>' : call.slice(0, nameEnd),
      filename,
      lineno: Number(lineno),
      colno: Number(colno),
      in_app: !filename.includes('node_modules') && !filename.startsWith('node:'),
    })
  }
  return frames.reverse()
}
