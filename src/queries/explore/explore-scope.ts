import type { Viewer } from '../viewer.ts'
import type { ExploreScope } from './exploration-sql.ts'

/** Which projects (none: all of the viewer's), which environments (none: all), and when, in milliseconds. */
export type ExploreFilter = {
  /** Errors of these hashes alone: the events of one issue. */
  hashes?: readonly string[] | undefined
  projectIds?: readonly number[] | undefined
  environments?: readonly string[] | undefined
  from: number
  to: number
}

/** An id from an address never widens what the viewer may see. */
export function exploreScope(viewer: Viewer, filter: ExploreFilter): ExploreScope {
  const { projectIds, environments = [], hashes, from, to } = filter
  const own = viewer.projects.map(({ id }) => id)
  const chosen = projectIds === undefined ? own : own.filter(id => projectIds.includes(id))
  return { projects: viewer.projects, projectIds: chosen.length === 0 ? [0] : chosen, environments, hashes, from, to }
}
