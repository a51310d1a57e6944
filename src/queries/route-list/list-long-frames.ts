import { z } from 'zod'
import { boundParams } from '../issue-list/bound-params.ts'
import type { Viewer } from '../viewer.ts'
import type { RouteFilter } from './route-filter.ts'
import { spansWhere } from './route-spans.ts'

const row = z.object({ script: z.string(), frames: z.coerce.number(), p75_us: z.number(), sum_us: z.coerce.number() })
export type LongFrame = { script: string; frames: number; p75Us: number; totalUs: number }

/** What blocked the page: by the script and function that the browser blames, '' where it blames none. */
export async function listLongFrames(viewer: Viewer, filter: RouteFilter, route: string): Promise<LongFrame[]> {
  const { params, bind } = boundParams()
  const rows = await viewer.telemetry.query({
    query: `
      SELECT substringUTF8(arrayStringConcat(arrayFilter(x -> x != '', [
          attributes['code.function.name'], attributes['browser.script.invoker'], attributes['code.file.path']]), ' '), 1, 300) AS script,
        count() AS frames, toFloat64(quantile(0.75)(duration_us)) AS p75_us, sum(duration_us) AS sum_us
      FROM spans
      WHERE ${spansWhere(viewer, filter, bind)} AND startsWith(op, 'ui.long') AND route = ${bind(route, 'String')}
      GROUP BY script ORDER BY sum_us DESC LIMIT 8`,
    params,
    schema: row,
  })
  return rows.map(({ p75_us, sum_us, ...each }) => ({ ...each, p75Us: p75_us, totalUs: sum_us }))
}
