import { LRUCache } from 'lru-cache'

/** Reports per address and minute: a person writes one. */
const reportsPerMinute = 10
const windowMs = 60_000

export type ReportLimit = ReturnType<typeof createReportLimit>

/** The form needs no key but the public one, so each address has a limit. Of many addresses the oldest is forgotten. */
export function createReportLimit(clock: { now(): number }) {
  const windows = new LRUCache<string, { startedAt: number; used: number }>({ max: 20_000 })
  return {
    take(address: string) {
      const now = clock.now()
      const known = windows.get(address)
      const isOld = known === undefined || now - known.startedAt >= windowMs || now < known.startedAt
      const window = isOld ? { startedAt: now, used: 0 } : known
      windows.set(address, window)
      window.used++
      if (window.used <= reportsPerMinute) return null
      const retryAfterSeconds = Math.max(1, Math.ceil((window.startedAt + windowMs - now) / 1_000))
      return { retryAfterSeconds, categories: ['feedback'], scope: 'key' as const, reason: 'address_rate_limit' }
    },
  }
}
