/** When to try again. Messages are given up by age, not by attempts: how often a server is asked depends on what else waits for it. */
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** After its first attempt. Time in which Hydrant is stopped doesn't count. */
export const giveUpAfterMs = 33 * hour
/** A server that asks for a longer pause is asked again after this one. */
export const longestAskedMs = hour

const firstDelaysMs = [10 * second, minute]
const usualDelayMs = 5 * minute
/** For a message that has failed for an hour. */
const lateDelayMs = 15 * minute
const spread = 0.2

type Failed = { attempts: number; ageMs: number; random: () => number }

/** How long a message waits after a failed attempt. `ageMs`: since its first one. The last attempt is made when it is given up. */
export function retryDelay({ attempts, ageMs, random }: Failed): number {
  const planned = firstDelaysMs[attempts - 1] ?? (ageMs < hour ? usualDelayMs : lateDelayMs)
  const leftMs = giveUpAfterMs - ageMs
  return leftMs > 0 ? Math.min(spreadOut(planned, random), leftMs) : planned
}

/** How long a channel rests after a failure: what else waits for it does not hurry after a server that is down. */
export const restAfter = (failures: number, random: () => number): number =>
  spreadOut(Math.min(10 * second * Math.max(failures, 1), minute), random)

/** The delay that the server asks for, or a longer one if it keeps asking for very short delays. */
export function askedDelay(askedMs: number, failures: number): number {
  const leastMs = Math.min(second * 2 ** Math.min(failures - 1, 6), minute)
  return Math.min(Math.max(askedMs, leastMs), longestAskedMs)
}

const spreadOut = (ms: number, random: () => number): number => Math.round(ms * (1 - spread + 2 * spread * random()))
