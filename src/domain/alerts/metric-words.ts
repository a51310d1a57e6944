/** Names of metrics and their values in words. Without the schema, so that pages in the browser can use it. */
import { formatWhole } from '#lib/format-whole.ts'
import { isCount } from './judge.ts'
import type { Metric } from './metric.ts'
import { noDataWaitMs } from './no-data-wait.ts'

const minuteMs = 60_000
const vital = (name: string) => `p75(browser.web_vital.${name}.value)`

/** The numbers that the editor offers. */
export const metricPresets = [
  { id: 'failure-rate', label: 'Failure rate', dataset: 'spans', measure: 'failure_rate()' },
  { id: 'throughput', label: 'Number of spans', dataset: 'spans', measure: 'count()' },
  { id: 'p75', label: 'p75 of the duration', dataset: 'spans', measure: 'p75(span.duration)' },
  { id: 'p95', label: 'p95 of the duration', dataset: 'spans', measure: 'p95(span.duration)' },
  { id: 'lcp', label: 'p75 of LCP', dataset: 'spans', measure: vital('lcp') },
  { id: 'inp', label: 'p75 of INP', dataset: 'spans', measure: vital('inp') },
  { id: 'cls', label: 'p75 of CLS', dataset: 'spans', measure: vital('cls') },
  { id: 'errors', label: 'Number of errors', dataset: 'errors', measure: 'count()' },
  { id: 'users', label: 'Users with errors', dataset: 'errors', measure: 'count_unique(user)' },
  { id: 'logs', label: 'Number of logs', dataset: 'logs', measure: 'count()' },
] as const satisfies readonly { id: string; label: string; dataset: Metric['dataset']; measure: string }[]

const presetOf = ({ dataset, measure }: Pick<Metric, 'dataset' | 'measure'>) =>
  metricPresets.find(preset => preset.dataset === dataset && preset.measure === measure)

export const presetIdOf = (metric: Pick<Metric, 'dataset' | 'measure'>): string => presetOf(metric)?.id ?? ''

/** `p95 of the duration of route:/checkout`. */
export function nameMetric(metric: Metric): string {
  const name = presetOf(metric)?.label ?? metric.measure
  return metric.query.trim() === '' ? name : `${name} of ${metric.query.trim()}`
}

/** Rates in percent, durations and times in milliseconds, everything else as it is. */
export function formatMetric({ measure }: Pick<Metric, 'measure'>, value: number): string {
  if (measure.startsWith('failure_rate')) return `${Number((value * 100).toPrecision(3))} %`
  if (/^(?:p\d+|avg|max|min)\((?:span\.duration|browser\.web_vital\.(?:lcp|inp|fcp|ttfb)\.value)\)$/.test(measure))
    return value < 1_000 ? `${Math.round(value)} ms` : `${Number((value / 1_000).toPrecision(3))} s`
  return Number.isInteger(value) ? formatWhole(value) : String(Number(value.toPrecision(3)))
}

export function describeLimit(metric: Metric, limit: number): string {
  if (metric.compare === 'value') return formatMetric(metric, limit)
  if (metric.compare === 'usual') return `the usual by ${limit} spreads`
  return `the previous release by ${limit} %`
}

/** `10 min`, `2 h`. */
export function formatMinutes(ms: number): string {
  const minutes = Math.round(ms / minuteMs)
  return minutes > 0 && minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}

const noDataWords = {
  resolve: 'it resolves',
  alert: 'it alerts',
  keep: 'its state stays as it is',
} as const satisfies Record<Metric['noData'], string>

/** Whether it can be without data: a count of no rows is 0. */
export const canLackData = (metric: Metric): boolean =>
  !isCount(metric) || metric.leastRows > 0 || metric.compare !== 'value'

/** `without data for 10 min, it resolves`. */
export const describeNoData = (metric: Metric): string =>
  `without data${metric.noData === 'keep' ? '' : ` for ${formatMinutes(noDataWaitMs(metric))}`}, ${noDataWords[metric.noData]}`

export function describeMetric(metric: Metric): string {
  const window = formatMinutes(metric.windowMs)
  const lasting = metric.forMinutes > 1 ? ` for ${metric.forMinutes} min` : ''
  return `${nameMetric(metric)} in ${window} is ${metric.direction} ${describeLimit(metric, metric.critical)}${lasting}`
}
