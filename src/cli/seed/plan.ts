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
  /** Within one hour of the day that begins at `dayMs`. */
  outage: { dayMs: number; startMs: number; endMs: number }
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

const hourMs = dayMs / 24
/**
 * Each deploy has a skew issue. That of the last one is more than a day old, so rules don't take it for news, and tabs still miss files
 * within the first range of the issue list.
 */
const lastDeployAgoHours = 26
const leastHoursBetween = 12

/** A deploy every third day in the late morning, and one a day ago; the first release precedes all visits. */
export function planReleases(days: number, nowMs: number): Release[] {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const last = (Math.floor(nowMs / hourMs) - lastDeployAgoHours) * hourMs
  const deploys = [0]
  for (let ago = days - 2; ago >= 1; ago -= 3) {
    const morning = Math.round(today - ago * dayMs + 10.6 * hourMs)
    if (morning < last - leastHoursBetween * hourMs) deploys.push(morning)
  }
  return [...deploys, last].map((deployedMs, index) => ({ name: `shop@1.${4 + index}.0`, deployedMs }))
}

/** Some hours ago if the day is long enough to have an hour's worth of errors, else in the evening before. */
export function planOutage(nowMs: number): SeedPlan['outage'] {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const hour = Math.floor((nowMs - today) / hourMs)
  const startMs = hour >= 16 ? today + (hour - 3) * hourMs : today - 2 * hourMs
  return {
    dayMs: Math.floor(startMs / dayMs) * dayMs,
    startMs: startMs + hourMs / 8,
    endMs: startMs + (hourMs * 7) / 8,
  }
}
