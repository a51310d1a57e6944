import { expect, test } from 'vitest'
import { exampleRange } from './route-spans.ts'
import type { RouteSummary } from './summarize-route.ts'

const hourMs = 3_600_000
const month = { rangeMs: 30 * 24 * hourMs }
const seen = (requests: number, pageLoads = 0) =>
  ({ requests: { count: requests }, pageLoads, navigations: 0 }) as unknown as RouteSummary

test('examples come from the newest hours of a busy route, two days of a quiet one, and at least an hour', () => {
  const seenOften = [seen(0), seen(2_000), seen(300_000), seen(10, 300_000), seen(50_000_000)]
  const hours = seenOften.map(summary => exampleRange(month, summary).rangeMs / hourMs)
  expect(hours).toEqual([48, 48, 3, 3, 1])
})

test('a shorter chosen range is not widened', () => {
  expect(exampleRange({ rangeMs: hourMs, environment: 'production' }, seen(1))).toEqual({
    rangeMs: hourMs,
    environment: 'production',
  })
})
