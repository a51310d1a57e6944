import { randomBytes } from 'node:crypto'
import { findInternalKey, projectDsn } from '#domain/projects/project-keys.ts'
import { getRuntime } from '#runtime.ts'

const timeoutMs = 5_000
const mayReport = createReportLimit({ perMinute: 20 })

/** Posts a page's failure to main's own tunnel, like any SDK. A report that fails is logged and never reported itself. */
export async function reportRequestError(fault: ServerFault): Promise<void> {
  const { config, control, log, clock } = getRuntime()
  if (isRefusal(fault.error)) return log.info({ route: fault.routePath }, 'an action from another origin was refused')
  log.error({ route: fault.routePath, error: String(fault.error) }, 'a page failed')
  if (!config.selfReport || config.port === 0 || !mayReport(limitKey(fault))) return
  try {
    const key = await findInternalKey(control)
    if (!key) return
    const body = reportEnvelope(projectDsn(config.publicUrl, key.publicKey, key.projectId), fault, clock.now())
    await fetch(`http://127.0.0.1:${config.port}/tunnel/`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    log.warn({ error: String(error) }, 'the report of a failure did not arrive')
  }
}

/** Drawing an event may fail on the event's own content, and the report is an event too: one a minute for those pages, whatever they say. */
function limitKey({ routePath, error }: ServerFault): string {
  return routePath.includes('[eventId]') ? routePath : `${routePath} ${String(error)}`
}

/** Next throws when a form comes from another origin. That is the sender's fault: nobody may fill the built-in project with it. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.message === 'Invalid Server Actions request.'
}

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

/** The guard against loops: so many reports a minute, and the same one only once in it. */
const minuteMs = 60_000

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

/** `at name (file:line:column)` lines as the wire wants them: oldest call first. */
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
