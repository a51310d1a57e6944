import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { expectedSpans } from '#react/route-sample.ts'
import type { SpanFilter } from './span-condition.ts'
import { spanScope } from './span-condition.ts'

const steps = 48 // an hour in 75 s, a day in half hours

const quantiles = z.tuple([z.number(), z.number(), z.number()])
const row = z.object({
  steps: z.array(z.coerce.number()),
  counts: z.array(z.number()),
  failures: z.array(z.number()),
  quantiles: z.array(quantiles),
  all: quantiles,
  estimate: z.number(),
})

type SpanStep = { count: number; failed: number; p50Us: number; p75Us: number; p95Us: number }
type SpanMeasures = {
  from: number
  to: number
  stepMs: number
  /** One per step, oldest first; null without data. */
  steps: (SpanStep | null)[]
  whole: SpanStep
  /** How many there were, of which SDKs have sent those that are counted. */
  estimate: number
}

/** Count, failures and durations of the matching spans, over time and in total, in one query. */
export async function measureSpans(viewer: Viewer, filter: Omit<SpanFilter, 'after'>): Promise<SpanMeasures> {
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const { params, bind } = boundParams()
  const { where, from, to } = spanScope(viewer, { ...filter, terms }, bind)
  const stepMs = filter.rangeMs / steps
  // The end of the range belongs to the last step.
  const step = `least(${steps - 1}, intDiv(toUnixTimestamp64Milli(timestamp) - ${bind(from, 'Int64')}, ${bind(Math.round(stepMs), 'Int64')}))`
  const [found] = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT groupArray(step) AS steps, groupArray(n) AS counts, groupArray(bad) AS failures,
        groupArray(arrayMap(x -> toFloat64(x), finalizeAggregation(q))) AS quantiles,
        arrayMap(x -> ifNotFinite(toFloat64(x), 0), quantilesTDigestMerge(0.5, 0.75, 0.95)(q)) AS all,
        sum(expected) AS estimate
      FROM (
        SELECT ${step} AS step, toFloat64(sum(weight)) AS n, toFloat64(sumIf(weight, status = 'error')) AS bad,
          ${expectedSpans} AS expected,
          quantilesTDigestState(0.5, 0.75, 0.95)(duration_us) AS q
        FROM spans WHERE ${where}
        GROUP BY step ORDER BY step LIMIT 100
      )`,
    params,
    schema: row,
  })
  return shape(found, from, to, stepMs)
}

function shape(found: z.output<typeof row> | undefined, from: number, to: number, stepMs: number): SpanMeasures {
  const byStep: (SpanStep | null)[] = new Array(steps).fill(null)
  for (const [index, at] of (found?.steps ?? []).entries())
    byStep[at] = toStep(found?.counts[index], found?.failures[index], found?.quantiles[index])
  const sum = (list: number[] = []) => list.reduce((total, each) => total + each, 0)
  const whole = toStep(sum(found?.counts), sum(found?.failures), found?.all)
  return { from, to, stepMs, steps: byStep, whole, estimate: found?.estimate ?? 0 }
}

const toStep = (count = 0, failed = 0, [p50Us, p75Us, p95Us]: [number, number, number] = [0, 0, 0]): SpanStep => ({
  count: Math.round(count),
  failed: Math.round(failed),
  p50Us,
  p75Us,
  p95Us,
})
