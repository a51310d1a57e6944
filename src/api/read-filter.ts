import type { Viewer } from '#domain/access/viewer.ts'
import type { ExploreFilter } from '#domain/explore/explore.ts'
import type { Fault } from '#domain/explore/field.ts'
import { readRange } from '#domain/explore/plan-exploration.ts'
import { apiError, apiNotFound } from './api-error.ts'
import { isNamed } from './named-resources.ts'

/**
 * Reads the parameters that all lists share: `project=` (ids or slugs, -1 for all), `environment=`, and `statsPeriod=` or `start=` and
 * `end=`. 404 for a project that the token can't see.
 */
export function readFilter(viewer: Viewer, search: URLSearchParams, asOf?: number): ExploreFilter | Response {
  const projectIds = readProjects(viewer, search)
  if (projectIds === null) return apiNotFound()
  const range = readRange(
    {
      statsPeriod: search.get('statsPeriod') ?? undefined,
      start: search.get('start') ?? undefined,
      end: search.get('end') ?? undefined,
    },
    asOf ?? viewer.now,
  )
  if ('ok' in range) return faultResponse(range)
  return { ...range, projectIds, environments: search.getAll('environment').filter(name => name !== '') }
}

/** Undefined means all; null means that one of them doesn't exist. */
function readProjects(viewer: Viewer, search: URLSearchParams): number[] | undefined | null {
  const names = [...search.getAll('project'), ...search.getAll('projectSlug')].filter(name => name !== '')
  if (names.length === 0 || names.includes('-1')) return undefined
  const found = names.map(name => viewer.projects.find(project => isNamed(project, name))?.id)
  return found.every(id => id !== undefined) ? found : null
}

/** 400 for an invalid query. The message names the invalid part. */
export const faultResponse = (fault: Fault): Response => apiError(400, fault.message)
