import type { Settings } from '#store/telemetry/telemetry.ts'
import type { Bind } from '../issue-list/bound-params.ts'
import { projectIds } from '../project-ids.ts'
import type { Viewer } from '../viewer.ts'
import type { RouteFilter } from './route-filter.ts'

const dayMs = 86_400_000
/** Up to here five-minute sums are read; beyond, whole days, which the projections of the table hold. */
const longestFineMs = 2 * dayMs

export type RouteScope = {
  where: string
  /** The moment a sum belongs to, as the chosen step knows it. */
  stepSql: string
  from: number
  to: number
  stepMs: number
  steps: number
  /** For questions that ask neither for releases nor for devices: the engine does not see by itself which sums are fewer. */
  settings: Settings
}

/** The sums a question is about: the viewer's projects first, then the time. */
export function routeScope(viewer: Viewer, filter: RouteFilter, bind: Bind): RouteScope {
  const all = projectIds(viewer)
  const chosen = filter.projectIds === undefined ? all : all.filter(id => filter.projectIds?.includes(id))
  const isFine = filter.rangeMs <= longestFineMs
  const fineSteps = filter.rangeMs < dayMs ? 12 : 24
  const stepMs = isFine ? filter.rangeMs / fineSteps : dayMs
  const to = viewer.now
  const from = Math.floor((to - filter.rangeMs) / (isFine ? 300_000 : dayMs)) * (isFine ? 300_000 : dayMs)
  const day = 'toStartOfDay(bucket)'
  const where = [
    `project_id IN ${bind(chosen.length === 0 ? [0] : chosen, 'Array(UInt64)')}`,
    `${isFine ? 'bucket' : day} >= toDateTime(${bind(Math.floor(from / 1e3), 'UInt32')}, 'UTC')`,
    ...(filter.environment === undefined ? [] : [`environment = ${bind(filter.environment, 'String')}`]),
  ].join(' AND ')
  return {
    where,
    stepSql: isFine
      ? `intDiv(toUnixTimestamp(bucket) - ${bind(Math.floor(from / 1e3), 'Int64')}, ${bind(Math.round(stepMs / 1e3), 'Int64')})`
      : `intDiv(toUnixTimestamp(${day}) - ${bind(Math.floor(from / 1e3), 'Int64')}, 86400)`,
    from,
    to,
    stepMs,
    steps: isFine ? fineSteps : Math.ceil((to - from) / stepMs),
    settings: isFine || filter.environment !== undefined ? {} : { preferred_optimize_projection_name: 'by_day_alone' },
  }
}
