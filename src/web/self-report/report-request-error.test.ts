import { expect, test } from 'vitest'
import { createReportLimit, parseV8Stack } from './report-request-error.ts'

test('the same error is reported once a minute, and different ones up to the limit', () => {
  let now = 1_000_000
  const mayReport = createReportLimit({ perMinute: 2, now: () => now })
  expect([mayReport('a'), mayReport('a'), mayReport('b'), mayReport('c')]).toEqual([true, false, true, false])
  now += 60_000
  expect(mayReport('a')).toBe(true)
})

test('parses a V8 stack with the failing call last', () => {
  function breaks() {
    throw new Error('for the test')
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
