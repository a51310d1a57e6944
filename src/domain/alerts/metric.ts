/** A number that a rule watches: a function over rows of telemetry, and the limits that it must keep. */
import { z } from 'zod'

const minuteMs = 60_000
const dayMs = 86_400_000

export const metricSchema = z.object({
  dataset: z.enum(['errors', 'spans', 'logs']),
  /** A function of the explore language: `failure_rate()`, `p95(span.duration)`, `count()`. */
  measure: z.string().min(3).max(200),
  /** Which rows, in the explore language. */
  query: z.string().max(2_000).default(''),
  windowMs: z.number().int().min(minuteMs).max(dayMs),
  /** Limits are values; or multiples of the usual spread at this hour of the week; or percent against the previous release. */
  compare: z.enum(['value', 'usual', 'previous-release']).default('value'),
  direction: z.enum(['above', 'below']).default('above'),
  critical: z.number(),
  warning: z.number().nullable().default(null),
  /** The incident closes when this is kept again; without it, when the other limits are. */
  resolved: z.number().nullable().default(null),
  /** How long a change must last before it is told. */
  forMinutes: z.number().int().min(1).max(240).default(1),
  /** With fewer rows in the window the state is unknown. */
  leastRows: z.number().int().min(0).max(1_000_000_000).default(0),
})
export type Metric = z.output<typeof metricSchema>

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
  return Number.isInteger(value) ? value.toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}

export function describeLimit(metric: Metric, limit: number): string {
  if (metric.compare === 'value') return formatMetric(metric, limit)
  if (metric.compare === 'usual') return `${limit} × the usual spread`
  return `the previous release by ${limit} %`
}

export function describeMetric(metric: Metric): string {
  const minutes = metric.windowMs / minuteMs
  const window = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
  const lasting = metric.forMinutes > 1 ? ` for ${metric.forMinutes} min` : ''
  return `${nameMetric(metric)} in ${window} is ${metric.direction} ${describeLimit(metric, metric.critical)}${lasting}`
}
