import { describe, expect, it } from 'vitest'
import { planDays, planOutage, planReleases } from './plan.ts'
import { sliceDays } from './write-rows.ts'

const nowMs = Date.UTC(2026, 10, 15, 12)
const counts = { events: 1_000, spans: 12_000, logs: 501, days: 30 }
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

describe('a seeded month', () => {
  const days = planDays(counts, 12, nowMs)

  it('has exactly the requested counts', () => {
    expect(days).toHaveLength(30)
    expect(sum(days.map(day => day.events))).toBe(1_000)
    expect(sum(days.map(day => day.visits))).toBe(1_000)
    expect(sum(days.map(day => day.logs))).toBe(501)
  })

  it('ends now, not at midnight', () => {
    expect(days.at(-1)?.untilMs).toBe(nowMs)
    expect(days[0]?.startMs).toBe(Date.UTC(2026, 9, 17))
  })

  it('has a visit for the errors of a day that has just begun', () => {
    for (let minute = 0; minute < 60; minute++)
      for (const day of planDays({ ...counts, days: 2 }, 240, Date.UTC(2026, 10, 15, 0, minute)))
        expect([minute, day.visits > 0]).toEqual([minute, day.events + day.logs > 0])
  })

  it('has fewer visits on a Sunday than on the Monday after', () => {
    const on = (day: number) => days.find(({ startMs }) => startMs === Date.UTC(2026, 10, day))?.visits ?? 0
    expect(on(8)).toBeLessThan(on(9))
  })

  it('has deploys within it, in order', () => {
    const releases = planReleases(30, nowMs)
    expect(releases.length).toBeGreaterThan(5)
    expect(releases.map(release => release.deployedMs)).toEqual(
      releases.map(release => release.deployedMs).toSorted((a, b) => a - b),
    )
    expect(releases.at(-1)?.deployedMs).toBeLessThan(nowMs)
  })

  it('has an outage within the last day, in one hour of one of its days', () => {
    for (let hour = 0; hour < 24; hour++) {
      const now = Date.UTC(2026, 10, 15, hour, 59)
      const { dayMs, startMs, endMs } = planOutage(now)
      const day = planDays({ ...counts, days: 2 }, 12, now).find(each => each.startMs === dayMs)
      expect(Math.floor(startMs / 3_600_000)).toBe(Math.floor(endMs / 3_600_000))
      expect([hour, startMs > now - 24 * 3_600_000, endMs < (day?.untilMs ?? 0)]).toEqual([hour, true, true])
    }
  })

  it('is written in slices that have every row of every day once', () => {
    for (const step of [1, 7, 120, 5_000]) {
      const slices = sliceDays(days, ({ events }) => events, step)
      expect(slices.length).toBe(Math.ceil(1_000 / step))
      for (const day of days) {
        const parts = slices.flat().filter(part => part.day === day)
        let next = 0
        for (const { from, count } of parts) {
          expect(from).toBe(next)
          next = from + count
        }
        expect(next).toBe(day.events)
      }
    }
  })
})
