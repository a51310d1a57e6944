/** So many guesses in a window. */
export type GuessRule = { limit: number; windowMs: number }
/** `key` is who or what is counted; `forgives` where a right guess clears the wrong ones before it. */
export type GuessClaim<Name> = { rule: Name; key: string; forgives?: boolean }
export type GuessReservation =
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
