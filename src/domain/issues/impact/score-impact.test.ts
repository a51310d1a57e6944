import { expect, test } from 'vitest'
import { impactSteps, scoreImpact } from './score-impact.ts'

const hourMs = 3_600_000
const hour = 500_000
/** Half past. */
const now = (hour + 0.5) * hourMs
const steady = (events: number) => Array.from({ length: 27 }, (_, ago): [number, number] => [hour - ago, events])
const score = (users: number, ...events: [number, number][]) =>
  scoreImpact({ users, eventsByHour: new Map(events) }, now)

test('users count in powers of two, before any rise of events', () => {
  expect([0, 1, 2, 3, 4, 7, 8].map(users => score(users) / score(1))).toEqual([0, 1, 2, 2, 3, 3, 4])
  expect(score(4)).toBeGreaterThan(score(3, [hour, 1e9]))
})

test('events count by how many times the usual the last hour has', () => {
  expect(score(0, ...steady(20))).toBe(0)
  expect(score(0, ...steady(20), [hour, 40])).toBe(1)
  expect(score(0, ...steady(20), [hour, 140])).toBe(2)
  expect(score(0, ...steady(20), [hour, 160])).toBe(3)
  expect(score(0, [hour, 14_000])).toBe(13)
})

test('the last hour takes its share of the hour before', () => {
  expect(score(0, [hour - 1, 64])).toBe(4)
  expect(scoreImpact({ users: 0, eventsByHour: new Map([[hour - 1, 64]]) }, (hour + 0.9) * hourMs)).toBe(0)
})

test('twice almost nothing is almost nothing, and future hours do not count', () => {
  expect(score(0, [hour, 9])).toBe(0)
  expect(score(0, [hour, 10])).toBe(3)
  expect(score(0, [hour + 1, 1_000], [hour + 24, 1_000])).toBe(0)
})

test('every impact is below the number of steps', () => {
  expect(score(Number.MAX_SAFE_INTEGER, [hour, Number.MAX_SAFE_INTEGER])).toBe(impactSteps - 1)
})
