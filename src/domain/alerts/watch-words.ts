/** Describes the current value of a rule's metric, for the list of rules and the page of a rule. */
import { isCount } from './judge.ts'
import type { RuleWatch } from './list-rules.ts'
import type { Metric } from './metric.ts'
import { formatMetric, formatMinutes } from './metric-words.ts'

export type WatchState = 'ok' | 'failing' | 'warning' | 'no-data'

/** `no-data` also for what could not be judged. */
export function watchStateOf({ state, severity }: Pick<RuleWatch, 'state' | 'severity'>): WatchState {
  if (state === 'ok') return 'ok'
  if (state === 'failing') return severity === 'warning' ? 'warning' : 'failing'
  return 'no-data'
}

export const watchWords: Record<WatchState, string> = {
  ok: 'OK',
  failing: 'Failing',
  warning: 'Warning',
  'no-data': 'No data',
}

/** `412 ms, limit 1 s`. If the metric has no value, the reason. */
export function describeWatch(metric: Metric, { value, gap, limits }: RuleWatch): string {
  const limit = limits === null ? '' : `, limit ${formatMetric(metric, limits.critical)}`
  const now = value === null ? '' : `${formatMetric(metric, value)}${limit}`
  const window = formatMinutes(metric.windowMs)
  switch (gap) {
    case '':
      return now
    case 'empty':
      return `nothing measured in ${window}`
    case 'few-rows':
      return `fewer than ${metric.leastRows} rows in ${window}`
    case 'nothing-to-compare':
      return `${now === '' ? '' : `${now}, `}nothing to compare with`
    case 'down':
      // Of a count, the rest is the least that there was. Of a percentile it says nothing.
      return `${now === '' || !isCount(metric) ? '' : `at least ${now}; `}Hydrant did not accept data for a part of the last ${window}`
    case 'failed':
      return 'its query could not be run'
  }
}
