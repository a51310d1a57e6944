import { z } from 'zod'
import type { SpanCursor, SpanSort } from '#queries/span-list/span-filter.ts'
import type { RangeName } from '../ranges.ts'

/** What the address says about the list. */
export type TraceParams = {
  q: string
  projects: string[]
  environment: string | undefined
  range: RangeName
  sort: SpanSort
  after: SpanCursor | undefined
}

/** What somebody waited for: page views, navigations, requests. Without it every span is searched. */
export const defaultQuery = 'is:segment'
const one = z.string().optional().catch(undefined)
const params = z.object({
  q: z.string().max(4_000).default(defaultQuery).catch(defaultQuery),
  project: z
    .union([z.string(), z.array(z.string())])
    .default([])
    .catch([]),
  env: one,
  range: z.enum(['1h', '24h', '7d', '30d', '90d']).default('24h').catch('24h'),
  sort: z.enum(['newest', 'slowest']).default('newest').catch('newest'),
  after: one,
})

/** Nonsense in the address is left out, never an error. A search that cannot be read is kept: the page explains it. */
export function readTraceParams(raw: Record<string, unknown>): TraceParams {
  const { q, project, env, range, sort, after } = params.parse(raw)
  const projects = [project]
    .flat()
    .flatMap(text => text.split(','))
    .filter(Boolean)
  return {
    q: q.trim(),
    projects: [...new Set(projects)],
    environment: env || undefined,
    range,
    sort,
    after: parseCursor(after),
  }
}

/** What a form has to carry along, beside its search. */
export const keptParams = ({ projects, environment, range, sort }: TraceParams): Record<string, string> => ({
  ...(projects.length === 0 ? {} : { project: projects.join(',') }),
  ...(environment ? { env: environment } : {}),
  ...(range === '24h' ? {} : { range }),
  ...(sort === 'newest' ? {} : { sort }),
})

/** Only what differs from the plain list is in its address. Another question starts at its first page. */
export function tracesHref(organizationSlug: string, known: TraceParams, change: Partial<TraceParams> = {}): string {
  const next = { ...known, after: undefined, ...change }
  const search = new URLSearchParams({
    ...(next.q === defaultQuery ? {} : { q: next.q }),
    ...keptParams(next),
    ...(next.after ? { after: [next.after.to, next.after.key, next.after.spanId].join('-') } : {}),
  })
  return `/${organizationSlug}/traces${search.size > 0 ? `?${search}` : ''}`
}

function parseCursor(text = ''): SpanCursor | undefined {
  const match = /^(\d{1,15})-(\d{1,16})-([0-9a-f]{16})$/.exec(text)
  return match ? { to: Number(match[1]), key: Number(match[2]), spanId: match[3] ?? '' } : undefined
}
