type GuessRule = { limit: number; windowMs: number }
/** `key` is counted under `rule`. With `forgives`, a right guess resets the count. */
type GuessClaim<Name> = { rule: Name; key: string; forgives?: boolean }
type GuessReservation =
  | {
      ok: true
      /** The guess was right: it is not counted, and forgiving claims are reset. */
      succeed(): void
      /** The guess could not be checked, for example without the database: it is not counted. */
      refund(): void
    }
  | { ok: false; waitMs: number }

type Count = { count: number; until: number }

/**
 * Limits guesses of secrets. They are counted before they are checked, so that concurrent guesses can't exceed the limit. In memory and
 * bounded: when the table of a rule is full, the count that expires first is dropped.
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

  function increment(claim: GuessClaim<Name>): void {
    const found = read(claim)
    if (found) {
      found.count++
      return
    }
    // All windows of a rule are equally long, so the first entry expires first.
    const table = tableOf(claim.rule)
    table.delete(claim.key)
    for (const [oldest, { until }] of table) {
      if (until > now() && table.size < maxKeys) break
      table.delete(oldest)
    }
    table.set(claim.key, { count: 1, until: now() + rules[claim.rule].windowMs })
  }

  function decrement(claim: GuessClaim<Name>): void {
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
      for (const claim of claims) increment(claim)
      return {
        ok: true,
        refund: () => claims.forEach(decrement),
        succeed() {
          for (const claim of claims) {
            if (claim.forgives) tableOf(claim.rule).delete(claim.key)
            else decrement(claim)
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

/** For guesses of the setup code. One per process, although Next may load several copies of this module. */
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
