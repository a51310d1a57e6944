import { expect, test } from 'vitest'
import { createReportLimit } from './report-limit.ts'

test('the same fault is reported once a minute, and no more than the limit of different ones', () => {
  let now = 1_000_000
  const mayReport = createReportLimit({ perMinute: 2, now: () => now })
  expect([mayReport('a'), mayReport('a'), mayReport('b'), mayReport('c')]).toEqual([true, false, true, false])
  now += 60_000
  expect(mayReport('a')).toBe(true)
})
