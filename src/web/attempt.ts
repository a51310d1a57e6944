import { randomBytes } from 'node:crypto'
import { getRuntime } from '#runtime.ts'

export type Attempt<Value> = { ok: true; value: Value } | { ok: false; reference: string }

/** For one panel of a page: when its store does not answer, the panel says so and the rest of the page stands. */
export async function attempt<Value>(panel: string, read: Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { ok: true, value: await read }
  } catch (error) {
    const reference = `req_${randomBytes(4).toString('hex')}`
    getRuntime().log.error({ panel, reference, error: String(error) }, 'a panel could not be read')
    return { ok: false, reference }
  }
}
