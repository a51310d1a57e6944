/** What the model knows, what Hydrant shows, and where they differ. */
import type { Viewer } from '#domain/access/viewer.ts'
import { maxExactUsers } from '#lib/user-sketch.ts'
import type { ModelEvent, ModelLog, ModelSession, ModelVisit } from './generate.ts'

export type Model = {
  viewer: Viewer
  now: number
  /** The events of each issue. */
  ownOf: ReadonlyMap<number, readonly ModelEvent[]>
  /** Of all issues that are not deleted. */
  events: readonly ModelEvent[]
  /** Everything that was sent: a release stays known when its issues are deleted. */
  sent: readonly ModelEvent[]
  visits: readonly ModelVisit[]
  sessions: readonly ModelSession[]
  logs: readonly ModelLog[]
  /** What a filter drops. */
  noise: readonly Received[]
  /** Events that came once more. */
  repeats: readonly Received[]
  /** Whether all ranges and filters are compared, or a few. */
  isWhole: boolean
  report: Report
}

type Received = { projectId: number; receivedAt: number }

export type Report = ReturnType<typeof createReport>

/** All differences at once: one alone says little about its cause. */
export function createReport() {
  const differences: string[] = []
  let compared = 0
  const same = (what: string, shown: unknown, truth: unknown): void => {
    compared += 1
    if (JSON.stringify(shown) !== JSON.stringify(truth))
      differences.push(`${what}: ${JSON.stringify(shown)} instead of ${JSON.stringify(truth)}`)
  }
  const near = (what: string, shown: number | null, truth: number | null, share: number): void => {
    compared += 1
    if (shown === null || truth === null ? shown !== truth : Math.abs(shown - truth) > share * Math.abs(truth) + 1e-9)
      differences.push(`${what}: ${shown} instead of ${truth} (± ${share * 100} %)`)
  }
  return {
    differences,
    compared: () => compared,
    same,
    near,
    /** Estimated, and shown with ≈, above 1,023. */
    users: (what: string, shown: number, truth: number): void =>
      truth <= maxExactUsers ? same(what, shown, truth) : near(what, shown, truth, 0.15),
    /** A percentile of few values lies between its neighbors; a digest of many sums up a few of them. */
    quantile: (what: string, shown: number, level: number, values: readonly number[]): void => {
      compared += 1
      const sorted = values.toSorted((a, b) => a - b)
      const rank = level * (sorted.length - 1)
      const slack = Math.max(1, Math.ceil(sorted.length / 200))
      const low = sorted[Math.max(0, Math.floor(rank) - slack)] ?? 0
      const high = sorted[Math.min(sorted.length - 1, Math.ceil(rank) + slack)] ?? 0
      if (shown < low - 1e-3 || shown > high + 1e-3)
        differences.push(`${what}: ${shown} is not between ${low} and ${high}`)
    },
    /** Of each kind of difference the first few, and how many there are. */
    shorten: (): string[] => {
      const kinds = Map.groupBy(differences, text => text.replace(/:.*/s, '').replace(/\d+/g, ''))
      return [...kinds.values()].flatMap(own => [
        ...own.slice(0, 2),
        ...(own.length > 2 ? [`… ${own.length} like this`] : []),
      ])
    },
  }
}

type Truth = { events: number; users: number; firstSeen: number; lastSeen: number }
export const truthOf = (events: readonly ModelEvent[]): Truth => ({
  events: events.length,
  users: usersOf(events),
  firstSeen: Math.min(...events.map(({ at }) => at)),
  lastSeen: Math.max(...events.map(({ at }) => at)),
})

/** Browsers that name no user are known by their address, which is the same for all of a project here. */
export const usersOf = (rows: readonly { projectId: number; user: string }[]): number =>
  new Set(rows.map(({ projectId, user }) => `${projectId} ${user}`)).size

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
export const byNumber = (a: number, b: number): number => a - b

/** How often each key occurs, the most frequent first. */
export function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, number][] {
  const counts = [...Map.groupBy(items, keyOf)].map(([key, own]): [string, number] => [key, own.length])
  return counts.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

/** As many page views as this one stands for. */
export const viewsOf = (visits: readonly ModelVisit[]): number => sum(visits.map(({ rate }) => 1 / rate))
