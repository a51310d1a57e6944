/**
 * Work that can wait steps back for work that is being waited for: an acknowledgement must not share its core with the digestion of
 * an earlier one. What is put off is safe in the inbox. Linux alone has priorities per thread.
 */
import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Whoever answers pages too does not go all the way back. */
const steps = { digest: constants.priority.PRIORITY_LOW, engine: constants.priority.PRIORITY_BELOW_NORMAL }

/** For the thread that calls it, and for threads that it starts later. */
export function stepThreadBack(): void {
  if (process.platform === 'linux') setPriority(steps.digest)
}

/** For every thread of the process: those that compile and collect garbage were there before our first line. */
export function stepProcessBack(): void {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), steps.engine)
}
