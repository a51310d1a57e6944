/** So many guesses in a window. */
type GuessRule = { limit: number; windowMs: number }
/** `key` is who or what is counted; `forgives` where a right guess clears the wrong ones before it. */
type GuessClaim<Name> = { rule: Name; key: string; forgives?: boolean }
type GuessReservation =
  | {
      ok: true
      /** The guess was right: it does not count, and neither do those that its claims forgive. */
      succeed(): void
      /** Nobody found out whether it was right, as when the database is away: it does not count. */
      refund(): void
    }
  | { ok: false; waitMs: number }

type Count = { count: number; until: number }

/**
 * Counts guesses before they are tried, so that those sent at once cannot pass together: whoever may go on has taken a place already.
 * In memory and bounded: when a rule's table is full, the count that would have ended first goes, and no other.
 */
export function createGuessLimit<Name extends string>(
  rules: Readonly<Record<Name, GuessRule>>,
  { now, maxKeys = 20_000 }: { now: () => number; maxKeys?: number },
) {
  const tables = new Map<Name, Map<string, Count>>()

  function tableOf(rule: Name): Map<string, Count> {
    const table = tables.get(rule) ?? new Map<string, Count>()
    tables.set(rule, table)
    return table
  }

  function read({ rule, key }: GuessClaim<Name>): Count | undefined {
    const found = tableOf(rule).get(key)
    return found && found.until > now() ? found : undefined
  }

  function take(claim: GuessClaim<Name>): void {
    const found = read(claim)
    if (found) {
      found.count++
      return
    }
    // Windows of one rule are equally long, so the first in the table is the first to end.
    const table = tableOf(claim.rule)
    table.delete(claim.key)
    for (const [oldest, { until }] of table) {
      if (until > now() && table.size < maxKeys) break
      table.delete(oldest)
    }
    table.set(claim.key, { count: 1, until: now() + rules[claim.rule].windowMs })
  }

  function giveBack(claim: GuessClaim<Name>): void {
    const found = read(claim)
    if (found && found.count > 0) found.count--
  }

  return {
    reserve(claims: readonly GuessClaim<Name>[]): GuessReservation {
      const waits = claims.flatMap(claim => {
        const found = read(claim)
        return found && found.count >= rules[claim.rule].limit ? [found.until - now()] : []
      })
      if (waits.length > 0) return { ok: false, waitMs: Math.max(...waits) }
      for (const claim of claims) take(claim)
      return {
        ok: true,
        refund: () => claims.forEach(giveBack),
        succeed() {
          for (const claim of claims) {
            if (claim.forgives) tableOf(claim.rule).delete(claim.key)
            else giveBack(claim)
          }
        },
      }
    },
  }
}

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

/** Decision 0027. Failures in a window; an office may share an address, so it gets more than one account does. */
const signInRules = {
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
  const limit = createGuessLimit(signInRules, { now })
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

type SignInLimit = ReturnType<typeof createSignInLimit>

const signInKey = Symbol.for('hydrant.signInLimit')
const signInHolder = globalThis as { [signInKey]?: SignInLimit }

/** One for the process, whichever of Next's copies of this module asks. */
export function getSignInLimit(): SignInLimit {
  signInHolder[signInKey] ??= createSignInLimit(Date.now)
  return signInHolder[signInKey]
}
