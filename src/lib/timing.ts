import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** The value of the promise, or null if it rejects or takes longer than `ms`. */
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

/**
 * Lowers the priority of digest and the engine, so that ingest gets the CPU first; records can wait in the inbox. Only a little,
 * since digest also delivers new keys to ingest, and pages wait for the engine. Only Linux has priorities per thread.
 */

const behind = constants.priority.PRIORITY_BELOW_NORMAL

/** For the calling thread and threads that it starts later. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(behind)
}

/** For every thread of the process, including V8's compiler and garbage collector threads, which already run. */
export function lowerProcessPriority(): void {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), behind)
}
