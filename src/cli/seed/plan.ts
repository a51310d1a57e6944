/** What to seed on each day. The same `--seed` gives the same days, whatever the counts. */
export type SeedPlan = {
  projectId: number
  seed: number
  batchId: string
  userCount: number
  /** Number of rare errors besides those of the routes. */
  tailCount: number
  retentionDays: { errors: number; rest: number }
  releases: readonly Release[]
  days: readonly SeedDay[]
}
type Release = { name: string; deployedMs: number }
/** `untilMs` is midnight, or now on the last day: nothing is seeded into the future. */
export type SeedDay = { startMs: number; untilMs: number; visits: number; events: number; logs: number }
type SeedCounts = { events: number; spans: number; logs: number; days: number }

const dayMs = 86_400_000
const weekendShare = 0.6

/** The number of visits follows from the requested spans and `spansPerVisit`, the average of a trace. */
export function planDays(counts: SeedCounts, spansPerVisit: number, nowMs: number): SeedDay[] {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const starts = Array.from({ length: counts.days }, (_, index) => today - (counts.days - 1 - index) * dayMs)
  const shares = starts.map(startMs => weekdayShare(startMs) * Math.min(1, (nowMs - startMs) / dayMs))
  const total = shares.reduce((sum, share) => sum + share, 0)
  // Rounding each day on its own would lose rows, so days are differences of a rounded running total.
  const split = (count: number, index: number): number => {
    const upTo = (end: number) =>
      Math.round((count * shares.slice(0, end).reduce((sum, share) => sum + share, 0)) / total)
    return upTo(index + 1) - upTo(index)
  }
  const visits = Math.round(counts.spans / spansPerVisit)
  return starts.map((startMs, index) => {
    const [events, logs] = [split(counts.events, index), split(counts.logs, index)]
    // Right after midnight the share of a day may be an error but not a whole visit.
    const least = visits > 0 && events + logs > 0 ? 1 : 0
    const untilMs = Math.min(startMs + dayMs, nowMs)
    return { startMs, untilMs, visits: Math.max(least, split(visits, index)), events, logs }
  })
}

function weekdayShare(startMs: number): number {
  const weekday = new Date(startMs).getUTCDay()
  return weekday === 0 || weekday === 6 ? weekendShare : 1
}

/** A deploy every third day in the late morning; the first release precedes all visits. */
export function planReleases(days: number, nowMs: number): Release[] {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const releases: Release[] = [{ name: 'shop@1.4.0', deployedMs: 0 }]
  for (let ago = days - 2; ago >= 1; ago -= 3) {
    releases.push({ name: `shop@1.${4 + releases.length}.0`, deployedMs: today - ago * dayMs + 10.6 * 3_600_000 })
  }
  return releases
}
