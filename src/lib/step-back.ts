/**
 * Work that can wait steps back for work that is being waited for: an acknowledgement must not share its core with the digestion of
 * an earlier one. What is put off is safe in the inbox.
 */
import { constants, getPriority, setPriority } from 'node:os'

const steps = 10

/** For the thread that calls it, and for threads that it starts later. Linux alone has priorities per thread. */
export function stepBack(): void {
  if (process.platform !== 'linux') return
  setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW))
}
