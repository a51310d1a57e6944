import { dispersionOf, type Rate } from '#lib/confidence.ts'
import { findingLimits as limits } from '../limits.ts'
import { type IssueFacts, independentSize, weightsOf } from './issue-facts.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Counted = Pick<IssueFacts, 'now' | 'hours' | 'countedSince' | 'firstSeen'>

/** Events per hour between two times: the whole hours in it, and the current hour as far as it has passed. */
export function hourlyRate({ now, hours, countedSince }: Counted, from: number, to: number): Rate {
  const first = Math.ceil(Math.max(from, countedSince) / hourMs)
  const end = to >= now ? Math.floor(now / hourMs) + 1 : Math.floor(to / hourMs)
  const until = Math.min(end * hourMs, now)
  const events = hours.reduce((sum, { hour, events }) => (hour >= first && hour < end ? sum + events : sum), 0)
  return { count: events, exposure: Math.max(0, (until - first * hourMs) / hourMs) }
}

/**
 * The usual rate of a time: for a part of a day the same hours of the days before it, since a night is not a day; for longer all hours of
 * the week before.
 */
export function usualRate(facts: Counted, from: number, to: number): Rate {
  const known = Math.max(facts.firstSeen, facts.countedSince)
  if (to - from >= dayMs) return hourlyRate(facts, Math.max(known, from - limits.baseMs), from)
  const sum: Rate = { count: 0, exposure: 0 }
  const first = Math.floor(from / hourMs) * hourMs
  const end = Math.ceil(to / hourMs) * hourMs
  for (let shift = dayMs; shift <= limits.baseMs && first - shift >= known; shift += dayMs) {
    const { count, exposure } = hourlyRate(facts, first - shift, Math.min(end - shift, from))
    sum.count += count
    sum.exposure += exposure
  }
  return sum
}

/**
 * Events since a time. The newest events say it to the millisecond if they reach back so far; else the hours do, without the one
 * in which it was.
 */
export function rateSince(facts: IssueFacts, at: number): Rate {
  const { newest, newestSince, now } = facts
  if (newestSince > at) return hourlyRate(facts, at, now)
  const weights = weightsOf(newest)
  const events = newest.reduce((sum, event, index) => (event.at >= at ? sum + (weights[index] ?? 0) : sum), 0)
  return { count: events, exposure: (now - at) / hourMs }
}

/** Events per day, the current one as far as it has passed. `from` and `to` are days since 1970; `to` is not included. */
export function dailyRate({ now, days }: Pick<IssueFacts, 'now' | 'days'>, from: number, to: number): Rate {
  let events = 0
  for (let day = from; day < to; day++) events += days.get(day) ?? 0
  return { count: events, exposure: (Math.min(to * dayMs, now) - from * dayMs) / dayMs }
}

/**
 * How many events one occurrence brings. Bursts show in the hours before, and in events of the same user; a loop that
 * fails a thousand times is one failure.
 */
export function burstSize(facts: IssueFacts, from: number, to: number): number {
  const { hours, newest, countedSince } = facts
  const first = Math.ceil(Math.max(from, countedSince) / hourMs)
  const end = Math.floor(to / hourMs)
  const counts = new Array<number>(Math.max(0, end - first)).fill(0)
  for (const { hour, events } of hours) if (hour >= first && hour < end) counts[hour - first] = events
  const total = weightsOf(newest).reduce((sum, weight) => sum + weight, 0)
  const independent = independentSize(newest)
  return Math.max(dispersionOf(counts), independent === 0 ? 1 : total / independent)
}
