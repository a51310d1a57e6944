import { z } from 'zod'
import type { IssueCursor, IssueSort } from '#queries/issue-list/issue-filter.ts'
import type { RangeName } from '../ranges.ts'

export const sorts: Record<IssueSort, string> = {
  urgency: 'urgency',
  lastSeen: 'last seen',
  firstSeen: 'first seen',
  events: 'events',
  users: 'users',
}

/** What the address says about the list. */
export type IssueParams = {
  q: string
  projects: string[]
  environment: string | undefined
  range: RangeName
  sort: IssueSort
  after: IssueCursor | undefined
}

export const defaultQuery = 'is:unresolved'
const one = z.string().optional().catch(undefined)
const params = z.object({
  q: z.string().max(4_000).default(defaultQuery).catch(defaultQuery),
  project: z
    .union([z.string(), z.array(z.string())])
    .default([])
    .catch([]),
  env: one,
  range: z.enum(['1h', '24h', '7d', '30d', '90d']).default('24h').catch('24h'),
  sort: z.enum(['urgency', 'lastSeen', 'firstSeen', 'events', 'users']).default('urgency').catch('urgency'),
  after: one,
})

/** Nonsense in the address is left out, never an error. A search that cannot be read is kept: the page explains it. */
export function readIssueParams(raw: Record<string, unknown>): IssueParams {
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

/** Only what differs from the plain list is in its address. */
export function issuesHref(organizationSlug: string, known: IssueParams, change: Partial<IssueParams> = {}): string {
  // Another question starts at its first page.
  const { q, projects, environment, range, sort, after } = { ...known, after: undefined, ...change }
  const search = new URLSearchParams({
    ...(q === defaultQuery ? {} : { q }),
    ...(projects.length === 0 ? {} : { project: projects.join(',') }),
    ...(environment ? { env: environment } : {}),
    ...(range === '24h' ? {} : { range }),
    ...(sort === 'urgency' ? {} : { sort }),
    ...(after ? { after: formatCursor(after) } : {}),
  })
  return `/${organizationSlug}/issues${search.size > 0 ? `?${search}` : ''}`
}

function formatCursor({ to, keys, id }: IssueCursor): string {
  return [to, ...keys, id].join('-')
}

function parseCursor(text: string | undefined): IssueCursor | undefined {
  if (!/^\d{1,15}(-\d{1,15}){2,3}$/.test(text ?? '')) return undefined
  const [to = 0, ...rest] = (text ?? '').split('-').map(Number)
  return { to, keys: rest.slice(0, -1), id: rest.at(-1) ?? 0 }
}
