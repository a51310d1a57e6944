import { echoHash } from '#group/echo-hash.ts'
import { noId } from '#store/telemetry/rows.ts'
import type { HeldEvent } from '../yield.ts'
import type { JoinTarget } from './batch-plan.ts'
import type { ServerError } from './find-server-errors.ts'

/**
 * The server's error that a browser's stands for: of the same trace or with the same digest. Of several in one trace the one of
 * its own project, then the one of the same route, and then the one nearest in time. `siblings` are the projects of its organisation.
 */
export function pickServerError(
  { row, sighting }: HeldEvent,
  errors: readonly ServerError[],
  siblings: ReadonlySet<number>,
): ServerError | null {
  const digest = sighting.echo?.digest ?? ''
  const isSameTrace = (error: ServerError): boolean => row.trace_id !== noId && error.traceId === row.trace_id
  const isSameRoute = (error: ServerError): boolean => error.route === row.route
  const isAbroad = (error: ServerError): boolean => error.projectId !== row.project_id
  const fitting = errors.filter(error => {
    if (!isAbroad(error)) return isSameTrace(error) || (digest !== '' && error.digest === digest)
    // A trace goes on to services behind the page: their errors are causes at best. And two apps may share a digest.
    return siblings.has(error.projectId) && isSameTrace(error) && (error.isNext || isSameRoute(error))
  })
  const distance = (error: ServerError): number => Math.abs(error.at - row.timestamp)
  const [best] = fitting.toSorted(
    (a, b) =>
      Number(isAbroad(a)) - Number(isAbroad(b)) ||
      Number(isSameRoute(b)) - Number(isSameRoute(a)) ||
      distance(a) - distance(b),
  )
  return best ?? null
}

export function targetOf({ row }: HeldEvent, { version, hash, title, culprit, projectId }: ServerError): JoinTarget {
  if (projectId === row.project_id) return { version, hash, title, culprit }
  return { version, hash: echoHash(projectId, hash), title, culprit, abroad: { projectId, hash } }
}
