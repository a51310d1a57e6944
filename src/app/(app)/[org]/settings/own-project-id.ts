import { notFound } from 'next/navigation'
import type { Viewer } from '#domain/access/viewer.ts'

/** Checks that a project id from a form is one of the viewer's. Otherwise 404, as if it didn't exist. */
export function ownProjectId(viewer: Viewer, projectId: number): number {
  return viewer.projects.some(({ id }) => id === projectId) ? projectId : notFound()
}
