import { noId } from '#store/telemetry/rows.ts'
import type { HeldEvent } from '../yield.ts'
import type { JoinTarget } from './batch-plan.ts'
import type { ServerError } from './find-server-errors.ts'

/**
 * The server's error that a browser's stands for: of the same trace or with the same digest. Of several in one trace the one of
 * the same route, and then the one nearest in time.
 */
export function pickServerError({ row, sighting }: HeldEvent, errors: readonly ServerError[]): JoinTarget | null {
  const digest = sighting.echo?.digest ?? ''
  const fitting = errors.filter(
    error =>
      error.projectId === row.project_id &&
      ((row.trace_id !== noId && error.traceId === row.trace_id) || (digest !== '' && error.digest === digest)),
  )
  const distance = (error: ServerError): number => Math.abs(error.at - row.timestamp)
  const isElsewhere = (error: ServerError): number => (error.route === row.route ? 0 : 1)
  const [best] = fitting.toSorted((a, b) => isElsewhere(a) - isElsewhere(b) || distance(a) - distance(b))
  return best ? { version: best.version, hash: best.hash, title: best.title, culprit: best.culprit } : null
}
