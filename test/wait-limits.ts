/**
 * How long tests wait before they fail. Whoever runs one file wants to know soon. Where all run side by side (`npm test`
 * sets CI, as build servers do), a busy machine is slow and not broken.
 */
import { availableParallelism, loadavg } from 'node:os'

export const isPatient: boolean = process.env.CI !== undefined

const usualMs = Number(process.env.HYDRANT_WAIT_MS ?? 5_000)

/** For a condition: what a test does with a running Hydrant and a page takes a second or two. */
export const conditionMs = (): number => (isPatient ? 120_000 : usualMs * crowding())

/** For a whole test. */
export const testMs = (): number => (isPatient ? 900_000 : 60_000 * crowding())

/** For a condition that takes long on a machine with nothing else to do, such as the end of a minute, or the start of a server. */
export const waitAtLeast = (ms: number): number => Math.max(conditionMs(), ms * (isPatient ? 1 : crowding()))

const mostCrowding = 10

/** Processes that wait for each core: each gets so much less of it. */
function crowding(): number {
  const [lastMinute = 0] = loadavg()
  return Math.min(Math.max(lastMinute / availableParallelism(), 1), mostCrowding)
}
