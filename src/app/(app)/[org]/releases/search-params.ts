import { z } from 'zod'
import type { ReleaseSort } from '#domain/releases/list-releases.ts'

/** What the address says about the list. */
export type ReleaseParams = { q: string; project: string; sort: ReleaseSort; page: number }

const params = z.object({
  q: z.string().max(250).default('').catch(''),
  project: z.string().max(100).default('').catch(''),
  sort: z.enum(['date', 'version']).default('date').catch('date'),
  page: z.coerce.number().int().min(1).max(1_000).default(1).catch(1),
})

/** Nonsense in the address is left out, never an error. */
export function readReleaseParams(raw: Record<string, unknown>): ReleaseParams {
  const read = params.parse(raw)
  return { ...read, q: read.q.trim() }
}

/** Only what differs from the plain list is in its address; another question starts at its first page. */
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
