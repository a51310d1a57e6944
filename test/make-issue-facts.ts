/** Facts about invented issues, counted from a list of events as the stores would count them. */
import { countTags, type Occurrence } from '#domain/events/newest-events.ts'
import type { IssueFacts } from '#domain/findings/issue/issue-facts.ts'
import { dayOf, hourOf } from '#domain/issues/counters/counted-event.ts'
import type { UsualShares } from '#domain/issues/usual-shares.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
/** A Wednesday at 14:20. */
export const now = Date.UTC(2026, 10, 11, 14, 20)

export type FactEvent = Partial<Omit<Occurrence, 'at'>> & { at: number; tags?: Readonly<Record<string, string>> }

const newestEvents = 1_000

export function makeFacts(events: readonly FactEvent[], given: Partial<IssueFacts> = {}): IssueFacts {
  const sorted = [...events].sort((a, b) => b.at - a.at)
  const newest = sorted.slice(0, newestEvents)
  const hours = new Map<number, number>()
  const days = new Map<number, number>()
  let total = 0
  for (const { at, weight = 1 } of sorted) {
    total += weight
    hours.set(hourOf(at), (hours.get(hourOf(at)) ?? 0) + weight)
    days.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + weight)
  }
  return {
    now,
    firstSeen: sorted.at(-1)?.at ?? now,
    lastSeen: sorted[0]?.at ?? now,
    culprit: '',
    eventCount: total,
    hours: Array.from(hours, ([hour, count]) => ({ hour, events: count })).filter(
      ({ hour }) => hour >= hourOf(now) - 192,
    ),
    countedSince: (hourOf(now) - 192) * hourMs,
    days,
    newest: newest.map(({ at, release = '', environment = 'production', user = '0', weight = 1 }) => ({
      at,
      hash: '',
      replacedUser: '0',
      isOnServer: false,
      release,
      environment,
      user,
      weight,
    })),
    newestSince: newest.length === sorted.length ? 0 : (newest.at(-1)?.at ?? now),
    isComplete: newest.length === sorted.length,
    tags: countTags(newest.map(({ tags = {}, weight = 1 }) => ({ pairs: Object.entries(tags), weight }))),
    usual: null,
    starts: [],
    regression: null,
    escalation: null,
    insight: null,
    ...given,
  }
}

/** So many events in equal distances, the last one just before `to`. */
export function every(
  stepMs: number,
  from: number,
  to: number,
  event: (index: number) => Partial<FactEvent> = () => ({}),
) {
  const events: FactEvent[] = []
  for (let at = to - stepMs / 2, index = 0; at >= from; at -= stepMs, index++) events.push({ at, ...event(index) })
  return events
}

export const usualOf = (tags: Readonly<Record<string, Readonly<Record<string, number>>>>, size = 5_000): UsualShares =>
  new Map(
    Object.entries(tags).map(([key, values]) => [key, { size, values: new Map(Object.entries(values)), isCut: false }]),
  )
