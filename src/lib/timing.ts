import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
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

/*
 * Work that can wait steps back for work that is being waited for: an acknowledgement must not share its core with the digestion of
 * an earlier one. What is put off is safe in the inbox. Not all the way: digest also brings ingest the keys that were just made, and
 * the engine answers pages. Linux alone has priorities per thread.
 */

const behind = constants.priority.PRIORITY_BELOW_NORMAL

/** For the thread that calls it, and for threads that it starts later. */
export function stepThreadBack(): void {
  if (process.platform === 'linux') setPriority(behind)
}

/** For every thread of the process: those that compile and collect garbage were there before our first line. */
export function stepProcessBack(): void {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), behind)
}
