import { createGuessLimit, type GuessReservation, type GuessRule } from './guess-limit.ts'

const minuteMs = 60_000

/** Decision 0027. Failures in a window; an office may share an address, so it gets more than one account does. */
const rules = {
  /** One account from one address group. */
  pair: { limit: 10, windowMs: 10 * minuteMs },
  /** All accounts from one address group. */
  address: { limit: 50, windowMs: 10 * minuteMs },
  /** One account from everywhere, for many addresses that guess together. */
  account: { limit: 100, windowMs: 60 * minuteMs },
  /** One account from a browser that has signed in to it before: others cannot use up its guesses. */
  device: { limit: 10, windowMs: 10 * minuteMs },
} as const satisfies Record<string, GuessRule>

export type SignInAttempt = {
  /** The mail address, in small letters. */
  account: string
  /** What `addressGroup` says. */
  address: string
  /** The id of a browser that has signed in to this account before, else null. */
  device: string | null
}

export function createSignInLimit(now: () => number) {
  const limit = createGuessLimit(rules, { now })
  return {
    /** Counts the attempt before its password is hashed. */
    reserve({ account, address, device }: SignInAttempt): GuessReservation {
      if (device !== null) return limit.reserve([{ rule: 'device', key: `${device} ${account}`, forgives: true }])
      return limit.reserve([
        { rule: 'pair', key: `${address} ${account}`, forgives: true },
        { rule: 'address', key: address },
        { rule: 'account', key: account },
      ])
    },
  }
}

export type SignInLimit = ReturnType<typeof createSignInLimit>

const key = Symbol.for('hydrant.signInLimit')
const holder = globalThis as { [key]?: SignInLimit }

/** One for the process, whichever of Next's copies of this module asks. */
export function getSignInLimit(): SignInLimit {
  holder[key] ??= createSignInLimit(Date.now)
  return holder[key]
}
