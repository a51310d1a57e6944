import { expect, test } from 'vitest'
import { readRange } from './read-range.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const hourMs = 3_600_000

test('a time is a period up to now, or two dates in UTC', () => {
  expect(readRange({ statsPeriod: '24h' }, now)).toEqual({ from: now + 1 - 24 * hourMs, to: now + 1 })
  expect(readRange({ start: '2026-11-15T10:00:00', end: '2026-11-15T11:00:00.000Z' }, now)).toEqual({
    from: now - 2 * hourMs,
    to: now - hourMs,
  })
  expect(readRange({ start: '2026-11-15T11:00:00+01:00' }, now)).toEqual({ from: now - 2 * hourMs, to: now + 1 })
  expect(readRange({}, now)).toEqual({ from: now + 1 - 14 * 24 * hourMs, to: now + 1 })
})

test('a time that cannot be read is named, and none is longer than what is kept', () => {
  expect(readRange({ statsPeriod: 'soon' }, now)).toMatchObject({ code: 'wrong_time' })
  expect(readRange({ start: 'yesterday' }, now)).toMatchObject({ message: expect.stringContaining('yesterday') })
  expect(readRange({ start: '2026-11-15', end: '2026-11-14' }, now)).toMatchObject({ code: 'wrong_time' })
  expect(readRange({ statsPeriod: '52w' }, now)).toEqual({ from: now + 1 - 90 * 24 * hourMs, to: now + 1 })
})
