import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { getRuntime } from '#runtime.ts'

export type Attempt<Value> = { ok: true; value: Value } | { ok: false; reference: string }

const timeoutMs = 10_000 // a hanging store costs one panel, not the page

/** Runs the query of one panel. If it fails or hangs, only the panel shows an error, with a reference to the log. */
export async function attempt<Value>(panel: string, read: Promise<Value>): Promise<Attempt<Value>> {
  const timer = new AbortController()
  try {
    const timeout = wait(timeoutMs, null, { signal: timer.signal, ref: false }).then(() =>
      Promise.reject(new Error(`timeout after ${timeoutMs} ms`)),
    )
    return { ok: true, value: await Promise.race([read, timeout]) }
  } catch (error) {
    const reference = `req_${randomBytes(4).toString('hex')}`
    getRuntime().log.error({ panel, reference, error: String(error) }, 'panel query failed')
    return { ok: false, reference }
  } finally {
    timer.abort()
  }
}
