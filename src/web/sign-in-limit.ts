/**
 * Slows down guessing: so many failures in a window, per account and per address. In memory: a restart forgives,
 * and scrypt alone already costs a guess tens of milliseconds. A right password clears the account's count.
 */
const windowMs = 10 * 60_000
const limits = { account: 10, address: 50 } // an office may share an address, so it gets more

type Failures = { count: number; until: number }

export function createSignInLimit(now: () => number) {
  const failures = new Map<string, Failures>()
  const read = (key: string) => {
    const entry = failures.get(key)
    if (entry && entry.until > now()) return entry
    failures.delete(key)
    return undefined
  }
  return {
    /** Milliseconds until the next attempt is heard; 0 when it may go on. */
    waitMs(account: string, address: string): number {
      const over = [
        { entry: read(`account:${account}`), limit: limits.account },
        { entry: read(`address:${address}`), limit: limits.address },
      ].filter(({ entry, limit }) => entry !== undefined && entry.count >= limit)
      return Math.max(0, ...over.map(({ entry }) => (entry?.until ?? 0) - now()))
    },
    fail(account: string, address: string): void {
      if (failures.size > 10_000) failures.clear() // a flood of made-up accounts must not fill the memory
      for (const key of [`account:${account}`, `address:${address}`]) {
        const entry = read(key) ?? { count: 0, until: now() + windowMs }
        failures.set(key, { ...entry, count: entry.count + 1 })
      }
    },
    succeed(account: string): void {
      failures.delete(`account:${account}`)
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
