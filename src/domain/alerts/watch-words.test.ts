import { expect, test } from 'vitest'
import type { RuleWatch } from './list-rules.ts'
import { metricSchema } from './metric.ts'
import { describeWatch, watchStateOf } from './watch-words.ts'

const p95 = metricSchema.parse({
  ...{ dataset: 'spans', measure: 'p95(span.duration)', windowMs: 300_000, critical: 1_000, leastRows: 20 },
})
const errors = metricSchema.parse({ dataset: 'errors', measure: 'count()', windowMs: 3_600_000, critical: 10 })
const limits = { critical: 1_000, warning: null, resolved: null }
const watch = (more: Partial<RuleWatch>): RuleWatch => ({
  ...{ state: 'ok', gap: '', severity: '', value: 412, since: 0, judgedAt: 1, limits },
  ...more,
})

test('every state and every reason for having no data is said', () => {
  const none = { state: 'no-data', value: null } as const
  const down = { state: 'unknown', gap: 'down' } as const
  const cases: [Parameters<typeof describeWatch>[0], Partial<RuleWatch>, string, string][] = [
    [p95, {}, 'ok', '412 ms, limit 1 s'],
    [p95, { state: 'failing', severity: 'critical', value: 2_000 }, 'failing', '2 s, limit 1 s'],
    [p95, { state: 'failing', severity: 'warning' }, 'warning', '412 ms, limit 1 s'],
    [p95, { ...none, gap: 'empty' }, 'no-data', 'nothing measured in 5 min'],
    [p95, { ...none, gap: 'few-rows' }, 'no-data', 'fewer than 20 rows in 5 min'],
    [
      p95,
      { ...none, gap: 'nothing-to-compare', limits: null, value: 412 },
      'no-data',
      '412 ms, nothing to compare with',
    ],
    [p95, down, 'no-data', 'Hydrant did not accept data for a part of the last 5 min'],
    [
      errors,
      { ...down, value: 7, limits: { ...limits, critical: 10 } },
      'no-data',
      'at least 7, limit 10; Hydrant did not accept data for a part of the last 1 h',
    ],
    [errors, { state: 'unknown', gap: 'failed', value: null }, 'no-data', 'its query could not be run'],
  ]
  for (const [metric, given, state, words] of cases)
    expect([watchStateOf(watch(given)), describeWatch(metric, watch(given))]).toEqual([state, words])
})
