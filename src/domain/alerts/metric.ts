/** A number that a rule watches: a function over rows of telemetry, and the limits that it must keep. */
import { z } from 'zod'

const minuteMs = 60_000
const dayMs = 86_400_000

export const noDataChoices = ['resolve', 'alert', 'keep'] as const

export const metricSchema = z.object({
  dataset: z.enum(['errors', 'spans', 'logs']),
  /** A function of the explore language: `failure_rate()`, `p95(span.duration)`, `count()`. */
  measure: z.string().min(3).max(200),
  /** Which rows, in the explore language. */
  query: z.string().max(2_000).default(''),
  windowMs: z
    .number()
    .int()
    .min(minuteMs)
    .max(dayMs)
    // Metrics are judged by the minute.
    .transform(ms => Math.ceil(ms / minuteMs) * minuteMs),
  /** Limits are values; or multiples of the usual spread at this hour of the week; or percent against the previous release. */
  compare: z.enum(['value', 'usual', 'previous-release']).default('value'),
  direction: z.enum(['above', 'below']).default('above'),
  critical: z.number(),
  warning: z.number().nullable().default(null),
  /** The incident closes when this is kept again; without it, when the other limits are. */
  resolved: z.number().nullable().default(null),
  /** How long a change must last before it is told. */
  forMinutes: z.number().int().min(1).max(240).default(1),
  /** With fewer rows in the window there is no data. */
  leastRows: z.number().int().min(0).max(1_000_000_000).default(0),
  /** After `noDataAfterMs` without data: resolve the open incident, open one, or change nothing. */
  noData: z.enum(noDataChoices).default('resolve'),
  /** Null for the usual wait: as long as the window, and at least ten minutes. */
  noDataAfterMs: z.number().int().min(minuteMs).max(dayMs).nullable().default(null),
})
export type Metric = z.output<typeof metricSchema>

/** A sentence about limits that contradict each other, or null. Only writes check it, so that stored rules keep working. */
export function limitFault({ direction, critical, warning, resolved }: Metric): string | null {
  const isMilder = (limit: number, than: number) => (direction === 'above' ? limit <= than : limit >= than)
  const side = direction === 'above' ? 'at most' : 'at least'
  if (warning !== null && !isMilder(warning, critical)) return `The warning limit must be ${side} the critical one.`
  if (resolved === null || isMilder(resolved, warning ?? critical)) return null
  return `The resolved limit must be ${side} the ${warning === null ? 'critical' : 'warning'} one.`
}
