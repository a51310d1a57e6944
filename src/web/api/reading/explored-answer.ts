import type { Explored } from '#queries/explore/explore.ts'
import type { ColumnType } from '#queries/explore/field.ts'
import { type ApiPage, answerWithCursors, pageCursors } from '../pages.ts'

const unitOf = (type: ColumnType, name: string): string | null => {
  if (type === 'duration') return 'millisecond'
  if (type !== 'rate') return null
  return /^.ps\(/.test(name) ? '1/second' : '1/minute'
}

/** Rows and what their columns are, as the tools print them. */
export function answerExplored(request: Request, dataset: string, { rows, types, hasMore }: Explored, page: ApiPage) {
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
  return answerWithCursors(request, body, pageCursors(page, hasMore))
}
