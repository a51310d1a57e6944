import { expect, test } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const at = (text: string) => Date.parse(text)
const nights = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }
const endOf = (hours: typeof nights, now: string) => {
  const end = quietUntil(hours, at(now))
  return end === null ? null : new Date(end).toISOString()
}

test('quiet hours end in the time zone of the rule, also over midnight', () => {
  expect(endOf(nights, '2026-11-17T21:30:20Z')).toBe('2026-11-18T06:00:00.000Z')
  expect(endOf(nights, '2026-11-18T03:00:00Z')).toBe('2026-11-18T06:00:00.000Z')
})

test('outside of quiet hours nothing is held back', () => {
  expect(endOf(nights, '2026-11-18T06:00:00Z')).toBeNull()
  expect(endOf(nights, '2026-11-17T20:59:59Z')).toBeNull()
  expect(endOf({ ...nights, to: '22:00' }, '2026-11-17T23:00:00Z')).toBeNull()
})

test('the night in which clocks change ends at the same local time', () => {
  expect(endOf(nights, '2026-10-24T21:00:00Z')).toBe('2026-10-25T06:00:00.000Z')
  expect(endOf(nights, '2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
})

test('hours of the day do not reach over midnight', () => {
  const lunch = { from: '12:00', to: '13:30', zone: 'UTC' }
  expect(endOf(lunch, '2026-11-17T12:00:00Z')).toBe('2026-11-17T13:30:00.000Z')
  expect(endOf(lunch, '2026-11-17T13:30:00Z')).toBeNull()
})
