import { expect, test } from 'vitest'
import { hasHistory, isEscalating, usualPeak } from './escalation.ts'

const now = 500_000
const ago = (hours: number, events: number) => ({ hour: now - hours, events })
const escalates = (events: number, history: { hour: number; events: number }[], firstHour = now - 400) =>
  isEscalating(events, usualPeak(history, firstHour, now))

test('a steady issue escalates when an hour has more than twice its usual peak', () => {
  const steady = Array.from({ length: 168 }, (_, index) => ago(index + 1, 90 + (index % 24 === 5 ? 20 : 0)))
  expect(usualPeak(steady, now - 400, now)).toBe(110)
  expect(escalates(220, steady)).toBe(false)
  expect(escalates(221, steady)).toBe(true)
})

test('a few events never escalate, however quiet the issue was before', () => {
  expect(escalates(9, [])).toBe(false)
  expect(escalates(10, [])).toBe(true)
})

test('a job that fails every night at the same hour does not escalate', () => {
  const nightly = [1, 2, 3, 4, 5, 6, 7].map(day => ago(day * 24, 1_000))
  expect(escalates(1_100, nightly)).toBe(false)
  expect(escalates(2_001, nightly)).toBe(true)
})

test('one bad day does not hide the next escalation', () => {
  const quiet = Array.from({ length: 168 }, (_, index) => ago(index + 1, 3))
  expect(escalates(500, [...quiet, ago(60, 10_000)])).toBe(true)
})

test('days before the issue existed do not count as quiet days', () => {
  const twoDays = [ago(10, 100), ago(30, 100)]
  expect(escalates(150, twoDays, now - 40)).toBe(false)
  expect(escalates(150, twoDays, now - 160)).toBe(true)
})

test('the usual peak ignores the current hour and hours older than a week', () => {
  expect(usualPeak([ago(0, 999), ago(169, 999), ago(-1, 999)], now - 400, now)).toBe(0)
})

test('an issue has a history after one day', () => {
  expect(hasHistory(now - 23, now)).toBe(false)
  expect(hasHistory(now - 24, now)).toBe(true)
})
