import type { CountedOverTime, Series } from '#domain/explore/count-over-time.ts'
import type { Explored } from '#domain/explore/explore.ts'
import type { ColumnType } from '#domain/explore/field.ts'
import type { Range } from '#domain/explore/plan-exploration.ts'
import { clipText } from '#lib/text.ts'
import { readDuration } from '#search/read-value.ts'
import { apiError } from '../api-error.ts'
import { type ApiPage, cursorResponse, pageCursors } from '../pages.ts'

const unitOf = (type: ColumnType, name: string): string | null => {
  if (type === 'duration') return 'millisecond'
  if (type !== 'rate') return null
  return /^.ps\(/.test(name) ? '1/second' : '1/minute'
}

/** Rows with the types and units of their columns. */
export function exploreResponse(
  request: Request,
  dataset: string,
  { rows, types, hasMore, last }: Explored,
  page: ApiPage,
) {
  const units = Object.entries(types).map(([name, type]): [string, string | null] => [name, unitOf(type, name)])
  const body = {
    data: rows,
    meta: {
      fields: types,
      units: Object.fromEntries(units.filter(([, unit]) => unit !== null)),
      dataset,
      isMetricsData: false,
      tips: {},
    },
  }
  return cursorResponse(request, body, pageCursors(page, hasMore, last))
}

/** Sentry's shapes: one series alone, several by measure, and groups of series by group name. */
export function serializeSeries({ times, series }: CountedOverTime, range: Range) {
  const line = ({ values }: Series, order: number) => ({
    data: times.map((time, index) => [time / 1_000, [{ count: values[index] ?? 0 }]]),
    order,
    start: Math.floor(range.from / 1_000),
    end: Math.floor(range.to / 1_000),
    isMetricsData: false,
    meta: { fields: {}, units: {}, isMetricsData: false },
  })
  const byMeasure = (lines: Series[]) =>
    Object.fromEntries(lines.map((each, index): [string, object] => [each.measure, line(each, index)]))
  const groups = Map.groupBy(series, each => each.group)
  const [first] = series
  if (groups.size <= 1 && first?.group === '') return series.length === 1 ? line(first, 0) : byMeasure(series)
  return Object.fromEntries(
    Array.from(groups, ([group, lines], order): [string, object] => {
      const [only] = lines
      return [group, only && lines.length === 1 ? line(only, order) : { ...byMeasure(lines), order }]
    }),
  )
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const wantedSteps = 100

/** Reads `interval=5m`; without one, a round step that gives about a hundred points. */
export function readStep(interval: string, { from, to }: Range): number | Response {
  const stepMs = readDuration(interval)
  if (stepMs && stepMs >= 1_000) return stepMs
  if (interval !== '')
    return apiError(400, `interval takes a time like 5m, 1h or 1d, not ${JSON.stringify(clipText(interval, 100))}.`)
  const idealMs = (to - from) / wantedSteps
  const steps = [minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs, 24 * hourMs]
  return steps.find(step => step >= idealMs) ?? 24 * hourMs
}
