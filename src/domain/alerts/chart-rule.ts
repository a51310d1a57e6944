/** The number of a rule over the last days, as the job measures it: the worst window of each half hour. */
import type { Viewer } from '#domain/access/viewer.ts'
import { isMostlyThere } from './judge-metric.ts'
import { readLine, type Watched } from './measure.ts'
import { listPauses, missingIn } from './pauses.ts'

export type RuleChart = {
  from: number
  to: number
  stepMs: number
  /** Null where nothing was measured, or too much was missing. */
  values: (number | null)[]
}

const stepMs = 30 * 60_000
const daysShown = 7
const length = (daysShown * 86_400_000) / stepMs

export async function chartRule(viewer: Viewer, watched: Watched): Promise<RuleChart> {
  const { windowMs, direction, leastRows } = watched.metric
  const to = Math.ceil(viewer.now / stepMs) * stepMs
  const from = to - length * stepMs
  // Windows that join; longer ones overlap.
  const everyMs = Math.min(windowMs, stepMs)
  const first = from + everyMs
  const last = Math.floor((viewer.now - first) / everyMs) * everyMs + first
  const [line, pauses] = await Promise.all([
    readLine(viewer, watched, { first, last, stepMs: everyMs }),
    listPauses(viewer, from - windowMs),
  ])
  const values = new Array<number | null>(length).fill(null)
  for (let end = first; end <= last; end += everyMs) {
    const point = line(end)
    const isJudged = isMostlyThere(windowMs, missingIn(pauses, end - windowMs, end))
    if (point === null || point.value === null || point.rows < leastRows || !isJudged) continue
    const step = Math.min(length - 1, Math.floor((end - 1 - from) / stepMs))
    const known = values[step] ?? null
    const worst = direction === 'above' ? Math.max : Math.min
    values[step] = known === null ? point.value : worst(known, point.value)
  }
  return { from, to, stepMs, values }
}
