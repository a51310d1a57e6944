import { createGuessLimit } from '../guess-limit.ts'

/** Wrong tokens from one address group. A build with a revoked token meets it too; a right token is never asked. */
const rules = { address: { limit: 100, windowMs: 10 * 60_000 } } as const

type TokenGuessLimit = { fail(address: string): { waitMs: number } | null }
const key = Symbol.for('hydrant.tokenGuessLimit')
const holder = globalThis as { [key]?: TokenGuessLimit }

/** One for the process, whichever of Next's copies of this module asks. */
export function getTokenGuessLimit(): TokenGuessLimit {
  holder[key] ??= createTokenGuessLimit(Date.now)
  return holder[key]
}

export function createTokenGuessLimit(now: () => number): TokenGuessLimit {
  const limit = createGuessLimit(rules, { now })
  return {
    fail(address) {
      const reserved = limit.reserve([{ rule: 'address', key: address }])
      return reserved.ok ? null : { waitMs: reserved.waitMs }
    },
  }
}
