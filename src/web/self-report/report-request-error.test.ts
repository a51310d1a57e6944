import { expect, test } from 'vitest'
import { createReportLimit, parseV8Stack } from './report-request-error.ts'

test('the same fault is reported once a minute, and no more than the limit of different ones', () => {
  let now = 1_000_000
  const mayReport = createReportLimit({ perMinute: 2, now: () => now })
  expect([mayReport('a'), mayReport('a'), mayReport('b'), mayReport('c')]).toEqual([true, false, true, false])
  now += 60_000
  expect(mayReport('a')).toBe(true)
})

test('a stack of this very process is read, the failing call last', () => {
  function breaks() {
    throw new Error('as asked')
  }
  try {
    breaks()
  } catch (error) {
    const frames = parseV8Stack(error instanceof Error ? (error.stack ?? '') : '')
    expect(frames.at(-1)).toMatchObject({ function: 'breaks', in_app: true, lineno: 14 })
    expect(frames.at(-1)?.filename).toContain('report-request-error.test.ts')
    expect(frames.some(frame => !frame.in_app)).toBe(true)
  }
})
