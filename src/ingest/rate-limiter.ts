/**
 * Events per minute, per key and per project, in fixed windows in memory. Each category has its own count: a service that
 * sends many spans must not lose its errors.
 */
import type { ScannedItem } from '#protocol/item-types.ts'
import type { RateLimit } from '#protocol/rate-limit-header.ts'
import type { Clock, IngestConfig, KeyState } from './ports.ts'
import { countByCategory } from './ports.ts'
import type { SpikeGuard } from './spike-guard.ts'

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

/** `spikes` is for keys without a limit; null if the operator turned it off. */
export function createRateLimiter(
  clock: Clock,
  limits: IngestConfig['limits'],
  spikes: SpikeGuard | null = null,
): RateLimiter {
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
    const guard = keyLimit === 0 ? spikes : null
    if (keyLimit === 0 && limits.projectEventsPerMinute === 0 && guard === null) return []
    const now = clock.now()
    const ofKey = { scope: 'key' as const, window: windowOf(`key ${key.keyId}`, now) }
    const ofProject = { scope: 'project' as const, window: windowOf(`project ${key.projectId}`, now) }
    const scopes = [
      ...(guard === null
        ? [{ ...ofKey, limitOf: () => keyLimit, reason: 'key_rate_limit' }]
        : [
            {
              ...ofKey,
              limitOf: (category: string) => guard.limitOf(key.keyId, category, now),
              reason: 'spike_protection',
            },
          ]),
      { ...ofProject, limitOf: () => limits.projectEventsPerMinute, reason: 'project_rate_limit' },
    ]

    const over: RateLimit[] = []
    for (const [category, quantity] of countByCategory(items)) {
      if (exempt.has(category)) continue
      // The envelope that crosses the limit still passes: a container cannot be split.
      const hit = scopes.find(({ limitOf, window }) => {
        const limit = limitOf(category)
        return limit > 0 && (window.used.get(category) ?? 0) >= limit
      })
      if (hit !== undefined) over.push({ ...overOf(hit, category, now), reason: hit.reason })
      else {
        for (const { window } of scopes) window.used.set(category, (window.used.get(category) ?? 0) + quantity)
        spikes?.count(key.keyId, category, quantity, now)
      }
    }
    return over
  }

  function takeInternal({ projectId }: KeyState, items: ScannedItem[]): RateLimit[] {
    const now = clock.now()
    const window = windowOf(`internal ${projectId}`, now)
    const used = window.used.get('all') ?? 0
    const cost = Math.max(sum(countByCategory(items).values()), Math.ceil(sizeOf(items) / internalReportBytes))
    if (used + cost > internalReportsPerMinute)
      return [{ ...overOf({ scope: 'project', window }, '', now), categories: [] }]
    window.used.set('all', used + cost)
    return []
  }

  return { take }
}

const sum = (quantities: Iterable<number>): number => [...quantities].reduce((total, quantity) => total + quantity, 0)

const sizeOf = (items: ScannedItem[]): number => (items.at(-1)?.end ?? 0) - (items[0]?.headerStart ?? 0)

function overOf(
  { scope, window }: { scope: 'key' | 'project'; window: Window },
  category: string,
  now: number,
): RateLimit {
  const retryAfterSeconds = Math.max(1, Math.ceil((window.startedAt + windowMs - now) / 1000))
  return { retryAfterSeconds, categories: [category], scope, reason: `${scope}_rate_limit` }
}
