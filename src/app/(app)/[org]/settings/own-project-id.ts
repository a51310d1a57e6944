import { notFound } from 'next/navigation'
import type { Viewer } from '#domain/access/viewer.ts'

/** A project id from a form, if it is one of the viewer's; another organization's is 404, as if it did not exist. */
export function ownProjectId(viewer: Viewer, projectId: number): number {
  return viewer.projects.some(({ id }) => id === projectId) ? projectId : notFound()
}
