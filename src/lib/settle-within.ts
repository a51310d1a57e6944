import { setTimeout as wait } from 'node:timers/promises'

/** What the promise gives, or null where it fails or takes longer: for what a page can do without. */
export async function settleWithin<Value>(promise: Promise<Value>, ms: number): Promise<Value | null> {
  const timer = new AbortController()
  try {
    return await Promise.race([promise, wait(ms, null, { signal: timer.signal, ref: false })])
  } catch {
    return null
  } finally {
    timer.abort()
  }
}
