import type { Viewer } from '#domain/access/viewer.ts'
import { countActivity } from '#domain/events/list-rollout.ts'
import type { Release } from './read-releases.ts'

/** Page views and sessions over time: of the release, and of all other releases of its projects. */
export type ReleaseActivity = { from: number; stepMs: number; own: number[]; others: number[] }

const steps = 48
const maxSpanMs = 14 * 86_400_000
const minStepMs = 5 * 60_000
const maxProjects = 5

/** From a little before the release was first seen, for at most two weeks. */
export async function countReleaseActivity(viewer: Viewer, release: Release): Promise<ReleaseActivity> {
  const { now } = viewer
  const life = Math.min(maxSpanMs, Math.max(minStepMs * steps, (now - (release.firstSeen ?? release.createdAt)) * 1.1))
  const stepMs = Math.ceil(life / steps)
  const from = now - stepMs * steps
  const found = await Promise.all(
    release.projectIds
      .slice(0, maxProjects)
      .map(projectId => countActivity(viewer, { projectId, from, to: now, stepMs }, release.version)),
  )
  const sum = (of: 'old' | 'fresh'): number[] => {
    const list = new Array<number>(steps).fill(0)
    for (const row of found.flat()) {
      const at = Math.min(steps - 1, row.bucket)
      if (at >= 0) list[at] = (list[at] ?? 0) + row[of]
    }
    return list
  }
  return { from, stepMs, own: sum('old'), others: sum('fresh') }
}
