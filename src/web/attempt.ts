import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type FailureKind, failureKinds } from '#lib/failure-reference.ts'
import { isRequestEnded } from '#lib/read-signal.ts'
import { isTooBusy } from '#lib/turns.ts'
import { getRuntime } from '#runtime.ts'

export type Attempt<Value> = { ok: true; value: Value } | { ok: false; reference: string }

const timeoutMs = 10_000 // a hanging store costs one panel, not the page

/**
 * Runs the query of one panel. If it fails or hangs, only the panel shows an error, with a reference to the log. Its reads end with
 * the response (`follow-request.ts`).
 */
export async function attempt<Value>(panel: string, read: Promise<Value>): Promise<Attempt<Value>> {
  const timer = new AbortController()
  try {
    const timeout = wait(timeoutMs, null, { signal: timer.signal, ref: false }).then(() =>
      Promise.reject(new TookTooLong(`timeout after ${timeoutMs} ms`)),
    )
    return { ok: true, value: await Promise.race([read, timeout]) }
  } catch (error) {
    const kind = kindOf(error)
    const reference = `${failureKinds[kind]}${randomBytes(4).toString('hex')}`
    const { log } = getRuntime()
    if (isRequestEnded(error)) log.debug({ panel, reference }, 'panel query ended with its request')
    else if (kind === 'busy') log.warn({ panel, reference }, 'panel query refused: too many are waiting')
    else log.error({ panel, reference, error: String(error) }, 'panel query failed')
    return { ok: false, reference }
  } finally {
    timer.abort()
  }
}

class TookTooLong extends Error {}

function kindOf(error: unknown): FailureKind {
  if (isTooBusy(error)) return 'busy'
  return error instanceof TookTooLong ? 'slow' : 'failed'
}
