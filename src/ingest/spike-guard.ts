/**
 * Limits a key without a configured limit to several times its usual traffic, so that a broken release or a copied DSN can't fill the
 * disk. In memory and by category; the busiest hour of each day is kept (0117).
 */
import { z } from 'zod'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Days before today whose busiest hour counts. Today does not: a flood would raise its own limit. */
const daysOfHistory = 7
/** Times the average minute of that hour. */
const factor = 5
/** Per minute. Never less, however quiet the key has been. */
const leastEvents = 1_000
const leastOthers = 100_000
/** What becomes an issue. Reports of CSP and messages of users can be sent by anyone, too. */
const eventCategories = new Set(['error', 'security', 'feedback', 'default'])

const historySchema = z.record(
  z.string(),
  z.record(z.string(), z.object({ hour: z.number(), now: z.number(), busiest: z.number() })),
)
/** By key and category, then by day since 1970: the newest hour, what it has had so far, and the most that an hour of the day had. */
export type SpikeHistory = z.output<typeof historySchema>

/** A damaged file is no history: every key begins with the least limits. */
export function readSpikeHistory(text: string): SpikeHistory {
  try {
    return historySchema.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

type Days = SpikeHistory[string]
export type SpikeGuard = {
  /** Items per minute that the key may send. */
  limitOf(keyId: number, category: string, now: number): number
  count(keyId: number, category: string, quantity: number, now: number): void
  /** The part to keep at that time. */
  history(now: number): SpikeHistory
}

export function createSpikeGuard(known: SpikeHistory = {}): SpikeGuard {
  const byName = new Map<string, Days>(Object.entries(known))
  const nameOf = (keyId: number, category: string): string => `${keyId} ${category}`
  return {
    limitOf(keyId, category, now) {
      const least = eventCategories.has(category) ? leastEvents : leastOthers
      const today = Math.floor(now / dayMs)
      const days = byName.get(nameOf(keyId, category)) ?? {}
      const busiest = Object.entries(days).map(([day, { busiest: most }]) =>
        Number(day) < today && Number(day) >= today - daysOfHistory ? most : 0,
      )
      return Math.max(least, Math.ceil((Math.max(0, ...busiest) / 60) * factor))
    },
    count(keyId, category, quantity, now) {
      const name = nameOf(keyId, category)
      const days = byName.get(name) ?? {}
      byName.set(name, days)
      const [day, hour] = [Math.floor(now / dayMs), Math.floor(now / hourMs)]
      const before = days[day]
      const sum = (before?.hour === hour ? before.now : 0) + quantity
      days[day] = { hour, now: sum, busiest: Math.max(before?.busiest ?? 0, sum) }
      // A day may be ahead for as long as a clock was.
      if (before === undefined)
        for (const old of Object.keys(days)) if (Math.abs(Number(old) - day) > daysOfHistory + 1) delete days[old]
    },
    history: now => {
      const today = Math.floor(now / dayMs)
      const isRecent = (day: string): boolean => Number(day) >= today - daysOfHistory
      return Object.fromEntries([...byName].filter(([, days]) => Object.keys(days).some(isRecent)))
    },
  }
}
