import { z } from 'zod'
import type { ReleaseSort } from '#domain/releases/list-releases.ts'

/** The list's parameters in the URL. */
export type ReleaseParams = { q: string; project: string; sort: ReleaseSort; page: number }

const params = z.object({
  q: z.string().max(250).default('').catch(''),
  project: z.string().max(100).default('').catch(''),
  sort: z.enum(['date', 'version']).default('date').catch('date'),
  page: z.coerce.number().int().min(1).max(1_000).default(1).catch(1),
})

/** Invalid parameters are ignored. */
export function readReleaseParams(raw: Record<string, unknown>): ReleaseParams {
  const read = params.parse(raw)
  return { ...read, q: read.q.trim() }
}

/** The URL holds only what differs from the defaults. A change of the filter goes back to the first page. */
export function releasesHref(
  organizationSlug: string,
  known: ReleaseParams,
  change: Partial<ReleaseParams> = {},
): string {
  const { q, project, sort, page } = { ...known, page: 1, ...change }
  const search = new URLSearchParams({
    ...(q === '' ? {} : { q }),
    ...(project === '' ? {} : { project }),
    ...(sort === 'date' ? {} : { sort }),
    ...(page === 1 ? {} : { page: String(page) }),
  })
  return `/${organizationSlug}/releases${search.size > 0 ? `?${search}` : ''}`
}
