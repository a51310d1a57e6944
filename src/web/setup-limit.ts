import { createGuessLimit, type GuessReservation } from './guess-limit.ts'

const minuteMs = 60_000
const rules = { address: { limit: 10, windowMs: 10 * minuteMs }, all: { limit: 100, windowMs: 60 * minuteMs } } as const

type SetupLimit = { reserve(address: string): GuessReservation }
const key = Symbol.for('hydrant.setupLimit')
const holder = globalThis as { [key]?: SetupLimit }

/** For guesses of the setup code. One for the process, whichever of Next's copies of this module asks. */
export function getSetupLimit(): SetupLimit {
  holder[key] ??= createSetupLimit(Date.now)
  return holder[key]
}

function createSetupLimit(now: () => number): SetupLimit {
  const limit = createGuessLimit(rules, { now })
  return {
    reserve: address =>
      limit.reserve([
        { rule: 'address', key: address, forgives: true },
        { rule: 'all', key: '' },
      ]),
  }
}
