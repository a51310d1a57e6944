import { narrowViewer, type Viewer } from '#domain/access/viewer.ts'
import { apiNotFound } from './api-error.ts'
import { isNamed } from './named-resources.ts'

/**
 * `project=` (ids or slugs; -1 or nothing for all) narrows the viewer before the handler runs, so that no handler can forget it. 404 for
 * a project that the token can't see.
 */
export function narrowToNamed(viewer: Viewer, search: URLSearchParams): Viewer | Response {
  const names = [...search.getAll('project'), ...search.getAll('projectSlug')].filter(name => name !== '')
  if (names.length === 0 || names.every(name => name === '-1')) return viewer
  const found = names.map(name => viewer.projects.find(project => isNamed(project, name))?.id)
  return found.every(id => id !== undefined) ? narrowViewer(viewer, found) : apiNotFound()
}
