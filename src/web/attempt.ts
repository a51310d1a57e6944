import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { getRuntime } from '#runtime.ts'

export type Attempt<Value> = { ok: true; value: Value } | { ok: false; reference: string }

const patienceMs = 10_000 // a hung store costs one panel, not the page

/** For one panel of a page: when its store does not answer, the panel says so and the rest of the page stands. */
export async function attempt<Value>(panel: string, read: Promise<Value>): Promise<Attempt<Value>> {
  const timer = new AbortController()
  try {
    const tooLong = wait(patienceMs, null, { signal: timer.signal, ref: false }).then(() =>
      Promise.reject(new Error(`no answer within ${patienceMs} ms`)),
    )
    return { ok: true, value: await Promise.race([read, tooLong]) }
  } catch (error) {
    const reference = `req_${randomBytes(4).toString('hex')}`
    getRuntime().log.error({ panel, reference, error: String(error) }, 'a panel could not be read')
    return { ok: false, reference }
  } finally {
    timer.abort()
  }
}
