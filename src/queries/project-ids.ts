import type { Viewer } from './viewer.ts'

/** What the viewer may see. Never empty: an `in ()` is no SQL, and no project has the id 0. */
export function projectIds(viewer: Viewer): number[] {
  return viewer.projects.length === 0 ? [0] : viewer.projects.map(project => project.id)
}
