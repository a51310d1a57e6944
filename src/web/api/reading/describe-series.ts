import type { CountedOverTime, Series } from '#queries/explore/count-over-time.ts'
import type { Range } from '#queries/explore/read-range.ts'

/** One line alone, several by what they measure, and groups of them by what they have in common. */
export function describeSeries({ times, series }: CountedOverTime, range: Range) {
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
