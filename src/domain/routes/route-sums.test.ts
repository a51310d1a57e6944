import { describe, expect, test } from 'vitest'
import { cutSums, isRounded, routeRange, routeSteps } from './route-sums.ts'

const at = (text: string): number => Date.parse(`2026-11-${text}Z`)
const now = at('18T12:00:00')
const between = (from: string, to: string) => ({ rangeMs: at(to) - at(from), to: at(to) })

describe('a chosen time', () => {
  test('along the sums is counted as it is', () => {
    const filter = between('15T02:40', '15T09:05')
    expect(routeRange(now, filter)).toEqual({ from: at('15T02:40'), to: at('15T09:05') })
    expect(isRounded(now, filter)).toBe(false)
  })

  test('across them is counted with all of the sums that it touches', () => {
    const filter = between('15T02:42', '15T09:06')
    expect(routeRange(now, filter)).toEqual({ from: at('15T02:40'), to: at('15T09:10') })
    expect(cutSums(now, filter).map(({ to }) => to)).toEqual([at('15T02:45'), at('15T09:10')])
    // Both moments in one sum.
    expect(cutSums(now, between('15T02:41', '15T02:44'))).toHaveLength(1)
    // What is not over yet holds nothing later than its end.
    expect(isRounded(now, between('18T11:00', '18T12:03'))).toBe(false)
  })

  test('is compared with the time of its length just before', () => {
    const filter = { ...between('01T00:03', '15T09:06'), isBefore: true }
    const lengthMs = at('15T09:10') - at('01T00:00')
    expect(routeRange(now, filter)).toEqual({ from: at('01T00:00') - lengthMs, to: at('01T00:00') })
  })

  test('has bars of whole minutes, hours or days by the clock', () => {
    const stepsOf = (from: string, to: string) => {
      const steps = routeSteps(now, between(from, to))
      return [steps.count, (steps.to - steps.from) / steps.count / 60_000, new Date(steps.from).toISOString()]
    }
    expect(stepsOf('15T02:41', '15T02:44')).toEqual([1, 5, '2026-11-15T02:40:00.000Z'])
    expect(stepsOf('15T02:40', '15T09:05')).toEqual([14, 30, '2026-11-15T02:30:00.000Z'])
    expect(stepsOf('14T02:40', '15T09:05')).toEqual([16, 120, '2026-11-14T02:00:00.000Z'])
    expect(stepsOf('10T02:40', '15T00:00')).toEqual([5, 1_440, '2026-11-10T00:00:00.000Z'])
  })

  test('may be any that an address can name', () => {
    for (const to of [1, 8_640_000_000_000_000]) {
      const filter = { rangeMs: 90 * 86_400_000, to }
      for (const { from, to: end } of [routeRange(now, filter), routeRange(now, { ...filter, isBefore: true })]) {
        expect(from).toBeGreaterThanOrEqual(0)
        expect(end).toBeGreaterThanOrEqual(from)
        expect(end / 1e3).toBeLessThan(2 ** 32)
      }
    }
  })
})
