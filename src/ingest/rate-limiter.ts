/**
 * Events per minute, per key and per project, in fixed windows in memory. Each category has its own count: a service that
 * sends many spans must not lose its errors.
 */
import type { ScannedItem } from '#protocol/item-types.ts'
import type { RateLimit } from '#protocol/rate-limit-header.ts'
import type { Clock, IngestConfig, KeyState } from './ports.ts'
import { countByCategory } from './ports.ts'

const windowMs = 60_000

/**
 * Reports per minute to the built-in project, all categories together. Its DSN is public, so anyone can send to it. A page sends at
 * most ten errors of some KiB each: a hundred are a bad deploy, and more would say nothing new. An envelope costs one per item and
 * at least one per 64 KiB, because a header may claim fewer items than the body has.
 */
export const internalReportsPerMinute = 100
const internalReportBytes = 64 * 1024

/** Never limited: a lost session skews rates, a lost check-in raises a false alarm, a lost client report hides losses. */
const exempt = new Set(['session', 'internal', 'monitor'])

export type RateLimiter = { take(key: KeyState, items: ScannedItem[]): RateLimit[] }

type Window = { startedAt: number; used: Map<string, number> }

export function createRateLimiter(clock: Clock, limits: IngestConfig['limits']): RateLimiter {
  const windows = new Map<string, Window>()

  function windowOf(name: string, now: number): Window {
    const known = windows.get(name)
    if (known !== undefined && now - known.startedAt < windowMs && now >= known.startedAt) return known
    const fresh: Window = { startedAt: now - (now % windowMs), used: new Map() }
    windows.set(name, fresh)
    return fresh
  }

  /** The categories that are over their limit; the others are counted as used. */
  function take(key: KeyState, items: ScannedItem[]): RateLimit[] {
    const internal = key.isInternal ? takeInternal(key, items) : []
    if (internal.length > 0) return internal
    const keyLimit = key.eventsPerMinute > 0 ? key.eventsPerMinute : limits.keyEventsPerMinute
    if (keyLimit === 0 && limits.projectEventsPerMinute === 0) return []
    const now = clock.now()
    const scopes = [
      { scope: 'key' as const, limit: keyLimit, window: windowOf(`key ${key.keyId}`, now) },
      {
        scope: 'project' as const,
        limit: limits.projectEventsPerMinute,
        window: windowOf(`project ${key.projectId}`, now),
      },
    ].filter(({ limit }) => limit > 0)

    const over: RateLimit[] = []
    for (const [category, quantity] of countByCategory(items)) {
      if (exempt.has(category)) continue
      // The envelope that crosses the limit still passes: a container cannot be split.
      const hit = scopes.find(({ limit, window }) => (window.used.get(category) ?? 0) >= limit)
      if (hit !== undefined) over.push(limitOf(hit.scope, hit.window, category, now))
      else for (const { window } of scopes) window.used.set(category, (window.used.get(category) ?? 0) + quantity)
    }
    return over
  }

  function takeInternal({ projectId }: KeyState, items: ScannedItem[]): RateLimit[] {
    const now = clock.now()
    const window = windowOf(`internal ${projectId}`, now)
    const used = window.used.get('all') ?? 0
    const cost = Math.max(sum(countByCategory(items).values()), Math.ceil(sizeOf(items) / internalReportBytes))
    if (used + cost > internalReportsPerMinute) return [{ ...limitOf('project', window, '', now), categories: [] }]
    window.used.set('all', used + cost)
    return []
  }

  return { take }
}

const sum = (quantities: Iterable<number>): number => [...quantities].reduce((total, quantity) => total + quantity, 0)

const sizeOf = (items: ScannedItem[]): number => (items.at(-1)?.end ?? 0) - (items[0]?.headerStart ?? 0)

function limitOf(scope: 'key' | 'project', window: Window, category: string, now: number): RateLimit {
  const retryAfterSeconds = Math.max(1, Math.ceil((window.startedAt + windowMs - now) / 1000))
  return { retryAfterSeconds, categories: [category], scope, reason: `${scope}_rate_limit` }
}
