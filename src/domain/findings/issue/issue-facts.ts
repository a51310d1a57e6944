import type { Occurrence, TagCount } from '#domain/events/newest-events.ts'
import type { HourCount } from '#domain/issues/lifecycle/escalation.ts'
import type { UsualShares } from '#domain/issues/usual-shares.ts'
import type { ReleaseStart } from '#domain/releases/list-release-starts.ts'
import { effectiveSize } from '#lib/confidence.ts'

/** All that the sentence about an issue is computed from. Times in milliseconds. */
export type IssueFacts = {
  now: number
  firstSeen: number
  lastSeen: number
  /** Names the route or function in the heading. */
  culprit: string
  /** Exact, in total. */
  eventCount: number
  /** Events per hour, without the hours that had none. */
  hours: readonly HourCount[]
  /** Earlier hours are unknown, not quiet. */
  countedSince: number
  /** Events per day since 1970 (UTC). */
  days: ReadonlyMap<number, number>
  /** The newest 1,000 events of the page's range, newest first. */
  newest: readonly Occurrence[]
  /** Since when these are all events. */
  newestSince: number
  /** Whether these are all events of the issue. */
  isComplete: boolean
  tags: readonly TagCount[]
  /** Null while they are unknown. */
  usual: UsualShares | null
  /** Oldest first. */
  starts: readonly ReleaseStart[]
  /** For an issue that is regressed or escalating now. */
  regression: { at: number; release: string; resolvedAt: number | null } | null
  escalation: { at: number; events: number; usual: number } | null
  insight: 'skew' | 'hydration' | null
}

/** A linked event weighs nothing (0033); if all do, each counts as one. */
export function weightsOf(newest: readonly Occurrence[]): number[] {
  const isWeighted = newest.some(({ weight }) => weight > 0)
  return newest.map(({ weight }) => (isWeighted ? weight : 1))
}

/**
 * How many independent observations the newest events are. All events of one user have the same tags and come in bursts, so they are one
 * observation; an event without a user is one of its own.
 */
export function independentSize(newest: readonly Occurrence[]): number {
  const weights = weightsOf(newest)
  const byUser = new Map<string, number>()
  for (const [index, { user }] of newest.entries()) {
    const key = user === '0' ? ` ${index}` : user
    byUser.set(key, (byUser.get(key) ?? 0) + (weights[index] ?? 0))
  }
  return effectiveSize(byUser.values())
}
