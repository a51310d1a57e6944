import type { Viewer } from '#domain/access/viewer.ts'
import { listReleaseStarts } from '#domain/releases/list-release-starts.ts'
import type { Since } from './list-patterns.ts'

const maxProjects = 20
const lookBackMs = 30 * 86_400_000

/** The release that reached users last, in any of the projects; null if none did in a month. */
export async function findLastDeploy(
  viewer: Viewer,
  { projectIds, environment }: { projectIds?: readonly number[] | undefined; environment?: string | undefined },
): Promise<Since | null> {
  const ids = (projectIds ?? viewer.projects.filter(({ isInternal }) => !isInternal).map(({ id }) => id)).slice(
    0,
    maxProjects,
  )
  const environments = new Set(environment === undefined ? ['production', 'prod', ''] : [environment])
  const wanted = { since: viewer.now - lookBackMs, environments }
  const starts = await Promise.all(ids.map(projectId => listReleaseStarts(viewer, { projectId, ...wanted })))
  const last = starts
    .flat()
    .reduce<{ version: string; at: number } | null>(
      (latest, each) => (each.version !== '' && (latest === null || each.at > latest.at) ? each : latest),
      null,
    )
  return last && { release: last.version, at: last.at }
}
