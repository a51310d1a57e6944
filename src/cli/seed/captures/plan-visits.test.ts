import { expect, test } from 'vitest'
import { planDays, planReleases } from '../plan.ts'
import { planVisits } from './plan-visits.ts'

const nowMs = Date.UTC(2026, 10, 19, 15, 30)
const hourMs = 3_600_000
const visit = (name: string) => ({ name, beganAt: 0, endedAt: 60_000, requests: [] })

function plan(days: number, seed = 1) {
  const counts = { events: 100, spans: 1_000, logs: 0, days }
  return {
    seed,
    batchId: 'seed:1:1',
    userCount: 20,
    releases: planReleases(days, nowMs),
    days: planDays(counts, 10, nowMs),
  }
}
const planned = (days: number, seed = 1) => planVisits([visit('browse'), visit('deploy')], plan(days, seed), nowMs)
const beginnings = (name: string, days: number) =>
  planned(days).flatMap(({ visit, repeat }) => (visit.name === name ? [repeat.beginsAt] : []))

test('each visit is repeated, first more than a day ago and last within three hours, whatever the number of days', () => {
  for (const days of [1, 2, 7, 30]) {
    const times = beginnings('browse', days)
    expect(times.length).toBeGreaterThanOrEqual(3)
    expect(times[0]).toBeLessThan(nowMs - 24 * hourMs)
    expect(times.at(-1)).toBeGreaterThan(nowMs - 3 * hourMs)
    expect(times.at(-1)).toBeLessThan(nowMs - hourMs / 6)
  }
})

test('visits during a deploy follow deploys, and go from the release before to the one that was deployed', () => {
  for (const days of [1, 2, 7, 30]) {
    const { releases } = plan(days)
    for (const { repeat } of planned(days).filter(each => each.visit.name === 'deploy')) {
      const at = releases.findIndex(({ name }) => name === repeat.releases[1])
      expect(repeat.releases[0]).toBe(releases[at - 1]?.name)
      expect(repeat.beginsAt - (releases[at]?.deployedMs ?? 0)).toBeLessThan(8 * hourMs)
    }
    const times = beginnings('deploy', days)
    expect(times.filter(time => time > nowMs - 24 * hourMs && time < nowMs - hourMs / 4).length).toBeGreaterThan(0)
    // Else rules would take the issue for news.
    expect(times[0]).toBeLessThan(nowMs - 25 * hourMs)
  }
})

test('the order is that of time, and the same seed plans the same', () => {
  const times = planned(7).map(({ repeat }) => repeat.beginsAt)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect(planned(7)).toEqual(planned(7))
  expect(planned(7, 2)).not.toEqual(planned(7))
})
