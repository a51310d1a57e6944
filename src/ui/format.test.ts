import { describe, expect, it, test } from 'vitest'
import {
  axisZone,
  formatAge,
  formatAxis,
  formatBoth,
  formatBucket,
  formatClockTime,
  formatCount,
  formatDuration,
  formatLeft,
  formatMoment,
  formatOffset,
  formatShares,
  formatSpan,
} from './format.ts'

test('an age is one number and its unit', () => {
  const day = 86_400_000
  const shown = [-5_000, 400, 4_000, 90_000, 7_200_000, 3 * day, 70 * day, 800 * day].map(formatAge)
  expect(shown).toEqual(['now', 'now', '4 s', '1 m', '2 h', '3 d', '2 mo', '2 y'])
})

test('counts are exact up to 9,999 and short above', () => {
  const shown = [0, 999, 4812, 9999, 10_000, 12_432, 99_960, 999_499, 999_500, 1_240_000, 3_100_000_000].map(
    formatCount,
  )
  expect(shown).toEqual(['0', '999', '4,812', '9,999', '10k', '12.4k', '100k', '999k', '1M', '1.2M', '3.1B'])
})

test('percentages of a whole add up to 100', () => {
  expect(formatShares([40.4, 40.4, 19.2])).toEqual(['41 %', '40 %', '19 %'])
  expect(formatShares([1, 1, 1])).toEqual(['34 %', '33 %', '33 %'])
  expect(formatShares([5, 0, 0])).toEqual(['100 %', '0 %', '0 %'])
  expect(formatShares([0, 0])).toEqual(['–', '–'])
})

it.each([
  [0, '0 ms'],
  [0.2, '1 µs'],
  [640, '640 µs'],
  [1_800, '1.8 ms'],
  [94_000, '94 ms'],
  [999_400, '999 ms'],
  [999_700, '1 s'],
  [1_184_000, '1.18 s'],
  [31_500_000, '31.5 s'],
  [119_000_000, '119 s'],
  [150_000_000, '2.5 m'],
  [9_000_000_000, '2.5 h'],
])('%d µs reads %s', (us, text) => {
  expect(formatDuration(us)).toBe(text)
})

test('an offset has a sign and one unit', () => {
  expect([0, -31, 31, -21_400, -240_000, -7_200_000].map(formatOffset)).toEqual([
    '0',
    '−31 ms',
    '+31 ms',
    '−21.4 s',
    '−4 m',
    '−2 h',
  ])
})

test('a bucket of a chart is named by its times, and by its date if it is a day', () => {
  const at = Date.UTC(2026, 10, 17, 14)
  expect(formatBucket(at, 1_800_000, 'UTC')).toBe('2026-11-17 14:00 – 14:30 UTC')
  expect(formatBucket(at, 75_000, 'UTC')).toBe('2026-11-17 14:00:00 – 14:01:15 UTC')
  expect(formatBucket(at + 52_000, 1_893_000, 'UTC')).toBe('2026-11-17 14:00 – 14:32 UTC')
  expect(formatBucket(at, 15 * 3_600_000, 'UTC')).toBe('2026-11-17 14:00 – 2026-11-18 05:00 UTC')
  expect(formatBucket(Date.UTC(2026, 10, 17), 86_400_000, 'UTC')).toBe('2026-11-17 UTC')
})

describe('in the zone of the reader', () => {
  const at = Date.UTC(2026, 10, 15, 2, 40, 58, 123)
  it('a moment has the zone’s date, time and offset', () => {
    expect(formatMoment(at)).toBe('2026-11-15 02:40:58 UTC')
    expect(formatMoment(at, { zone: 'Asia/Kathmandu', withMs: true })).toBe('2026-11-15 08:25:58.123 UTC+5:45')
    expect(formatMoment(at, { zone: 'America/New_York' })).toBe('2026-11-14 21:40:58 UTC−5')
    expect(formatClockTime(at, 'Asia/Kathmandu')).toBe('08:25:58.123')
  })
  it('a tooltip adds UTC, unless it is the same', () => {
    expect(formatBoth(at, 'Europe/Berlin')).toBe('2026-11-15 03:40:58 UTC+1, 2026-11-15 02:40:58 UTC')
    expect(formatBoth(at, 'Europe/London')).toBe('2026-11-15 02:40:58 UTC')
  })
  it('a span names the offset twice if clocks change between its ends', () => {
    const hour = 3_600_000
    expect(formatSpan({ from: at, to: at + hour }, 'Asia/Kathmandu')).toBe('2026-11-15 08:25 – 09:25 UTC+5:45')
    const change = Date.UTC(2026, 9, 25, 1)
    expect(formatSpan({ from: change - hour, to: change + hour }, 'Europe/Berlin')).toBe(
      '2026-10-25 02:00 UTC+2 – 03:00 UTC+1',
    )
  })
  it('the axis of a chart follows the zone, and so do its buckets', () => {
    expect([3_600_000, 100_000_000, 300_000_000].map(span => formatAxis(at, span, 'Asia/Kathmandu'))).toEqual([
      '08:25',
      '11-15 08:25',
      '11-15',
    ])
    expect(formatAxis(at, 300_000_000, 'America/New_York')).toBe('11-14')
    const half = Date.UTC(2026, 10, 17, 23, 30)
    expect(formatBucket(half, 1_800_000, 'Europe/Berlin')).toBe('2026-11-18 00:30 – 01:00 UTC+1')
  })
  it('a chart of UTC days stays in UTC', () => {
    const days = { from: Date.UTC(2026, 10, 1), stepMs: 86_400_000 }
    expect(axisZone(days, 'Asia/Kathmandu')).toBe('UTC')
    expect(formatBucket(days.from, days.stepMs, 'Asia/Kathmandu')).toBe('2026-11-01 UTC')
    expect(axisZone({ ...days, stepMs: 3_600_000 }, 'Asia/Kathmandu')).toBe('Asia/Kathmandu')
  })
})

test('the time that is left is rounded, so that a week that has just begun is 7 d', () => {
  const day = 86_400_000
  const shown = [7 * day - 10_000, 6 * day + 3_600_000, day - 1_000, 3_600_000 - 1, 61_000, 59_700, 10].map(formatLeft)
  expect(shown).toEqual(['7 d', '6 d', '1 d', '1 h', '1 m', '1 m', '1 s'])
})
