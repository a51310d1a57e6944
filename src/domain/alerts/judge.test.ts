import { expect, test } from 'vitest'
import { type DetectorMemory, judge, type Reading, type Severity, step, usualOf } from './judge.ts'

const limits = { critical: 3, warning: 2, resolved: 1 }
const at = (value: number | null, more: Partial<Reading> = {}): Reading => ({ value, limits, ...more })

test('a value beyond a limit fails with its severity', () => {
  expect(judge('above', at(3.1), '')).toEqual({ state: 'failing', severity: 'critical' })
  expect(judge('above', at(2.5), '')).toEqual({ state: 'failing', severity: 'warning' })
  expect(judge('above', at(2), '')).toEqual({ state: 'ok', severity: '' })
  const below = { critical: 10, warning: 20, resolved: 30 }
  expect(judge('below', at(5, { limits: below }), '')).toEqual({ state: 'failing', severity: 'critical' })
})

test('what failed stays so until the resolved limit is kept', () => {
  expect(judge('above', at(1.5), 'critical')).toEqual({ state: 'failing', severity: 'warning' })
  expect(judge('above', at(1), 'warning')).toEqual({ state: 'ok', severity: '' })
  expect(judge('above', at(1.5), '')).toEqual({ state: 'ok', severity: '' })
})

test('the state is unknown without data or without a baseline to compare with', () => {
  expect(judge('above', at(null), 'critical')).toEqual({ state: 'unknown', gap: 'empty' })
  expect(judge('above', at(99, { limits: null }), '')).toEqual({ state: 'unknown', gap: 'nothing-to-compare' })
})

test('an incident opens, worsens, improves and closes once each, after a change has lasted', () => {
  const found: (Severity | null)[] = [
    'warning',
    'warning',
    '',
    'warning',
    'warning',
    'critical',
    'critical',
    null,
    'warning',
    'warning',
    '',
    '',
  ]
  let memory: DetectorMemory = { severity: '', pending: '', streak: 0, cause: '' }
  const transitions = found.map(severity => {
    const verdict =
      severity === null
        ? ({ state: 'unknown', gap: 'down' } as const)
        : ({ state: severity === '' ? 'ok' : 'failing', severity } as const)
    const next = step(memory, verdict, 2)
    memory = next.memory
    return next.transition
  })
  expect(transitions).toEqual([
    null,
    'opened',
    null,
    null,
    null,
    null,
    'worsened',
    null,
    null,
    'improved',
    null,
    'closed',
  ])
})

test('usual is the median of the same hours, with a spread that is never below the noise of counting', () => {
  expect(usualOf('count()', [100])).toBeNull()
  expect(usualOf('count()', [100, 100, 100, 100])).toEqual({ expected: 100, spread: 10 })
  expect(usualOf('count()', [0, 0])?.spread).toBeGreaterThan(0)
  const usual = usualOf('count()', [90, 100, 110, 1_000])
  expect(usual?.expected).toBe(105)
  expect(usual?.spread).toBeCloseTo(14.826, 2)
})

test('a share has a spread of a percentage point and a duration of a twentieth at least, not that of counting', () => {
  expect(usualOf('failure_rate()', [0.02, 0.02, 0.02])?.spread).toBe(0.01)
  expect(usualOf('failure_rate()', [0, 0, 0])?.spread).toBe(0.01)
  expect(usualOf('p95(span.duration)', [400, 400, 400])?.spread).toBe(20)
})
