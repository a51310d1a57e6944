import type { Viewer } from '#domain/access/viewer.ts'
import type { ExploreFilter } from '#domain/explore/explore.ts'
import type { Fault } from '#domain/explore/field.ts'
import { readRange } from '#domain/explore/plan-exploration.ts'
import { type FieldTerm, fieldTerm } from '#search/search-term.ts'
import { apiError } from './api-error.ts'

/**
 * Reads the parameters that all lists share: `environment=`, and `statsPeriod=` or `start=` and `end=`. `project=` has narrowed the viewer
 * before (`narrow-to-named.ts`).
 */
export function readFilter(
  viewer: Pick<Viewer, 'now'>,
  search: URLSearchParams,
  asOf?: number,
): ExploreFilter | Response {
  const range = readRange(
    {
      statsPeriod: search.get('statsPeriod') ?? undefined,
      start: search.get('start') ?? undefined,
      end: search.get('end') ?? undefined,
    },
    asOf ?? viewer.now,
  )
  if ('ok' in range) return faultResponse(range)
  return { ...range, environments: search.getAll('environment').filter(name => name !== '') }
}

/** Whether the request names a range, instead of leaving it to the default. */
export const hasRange = (search: URLSearchParams): boolean =>
  ['statsPeriod', 'start', 'end'].some(name => Boolean(search.get(name)))

/** As a part of a search: one of them. */
export const environmentTerms = (names: readonly string[] = []): FieldTerm[] =>
  names.length === 0 ? [] : [fieldTerm('environment', names)]

/** 400 for an invalid query. The message names the invalid part. */
export const faultResponse = (fault: Fault): Response => apiError(400, fault.message)
