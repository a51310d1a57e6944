/**
 * Sentry's tools print the addresses of its own pages. Where a page here means the same, its address leads there. In one table and
 * not in next.config.ts, because lists have other names for what they are narrowed by.
 */
import { trimEndOf } from '#lib/trim-end-of.ts'

type Search = URLSearchParams
type Move = {
  /** After `/organizations/<org>/`, without the last slash. */
  from: RegExp
  to: (rest: string, search: Search) => string
}

const org = '[A-Za-z0-9][A-Za-z0-9_-]*'
const organizationPath = new RegExp(`^/organizations/(${org})/(.+)$`)
const settingsPath = new RegExp(`^/settings/(?!account/)(${org})(?:/projects/([^/]+))?$`)
const traceOf = /(?:^|\s)trace:"?([0-9a-f]{32})\b/i
const traceId = '([0-9a-fA-F-]{32,36})'

const moves: readonly Move[] = [
  { from: /^(?:issues|explore\/errors|discover(?:\/.*)?|explore\/discover(?:\/.*)?)$/, to: list('issues') },
  { from: new RegExp(`^(?:(?:explore/)?traces/trace|performance/trace|traces)/${traceId}$`), to: toTrace },
  { from: /^(?:explore\/(?:traces|spans)|traces|performance(?:\/.*)?)$/, to: list('traces') },
  // Log lines are shown in their trace.
  {
    from: /^(?:explore\/)?logs$/,
    to: (_, search) => {
      const [, named] = traceOf.exec(search.get('query') ?? '') ?? []
      return named ? toTrace(named) : '/traces'
    },
  },
  { from: /^((?:issues|releases|projects)(?:\/.*)?)$/, to: (rest, search) => `/${rest}${questionOf(search)}` },
]

/** `/organizations/acme/issues/?query=is:resolved` → `/acme/issues?q=is%3Aresolved`; null where the address is none of Sentry's. */
export function findSentryMove(url: string): string | null {
  const mark = url.indexOf('?')
  const path = trimEndOf(mark === -1 ? url : url.slice(0, mark), '/')
  const query = mark === -1 ? '' : url.slice(mark + 1)
  const [, slug, project] = settingsPath.exec(path) ?? []
  if (slug) return project ? `/${slug}/projects/${project}` : `/${slug}/settings`
  const [, organization, page = ''] = organizationPath.exec(path) ?? []
  if (!organization) return null
  for (const { from, to } of moves) {
    const found = from.exec(page)
    if (found) return `/${organization}${to(found[1] ?? '', new URLSearchParams(query))}`
  }
  return null
}

const ranges = new Set(['1h', '24h', '7d', '30d', '90d'])

/** The lists' own names. A project's number is left out: lists know projects by their slug, and would find nothing. */
function list(name: string): Move['to'] {
  return (_, search) => {
    const [query, environment, period] = ['query', 'environment', 'statsPeriod'].map(key => search.get(key))
    const projects = search.getAll('project').filter(project => !/^-?\d+$/.test(project))
    const kept = new URLSearchParams({
      ...(query === null || query === undefined ? {} : { q: query }),
      ...(projects.length === 0 ? {} : { project: projects.join(',') }),
      ...(environment ? { env: environment } : {}),
      ...(period && ranges.has(period) ? { range: period } : {}),
    })
    return `/${name}${questionOf(kept)}`
  }
}

function toTrace(id: string): string {
  return `/traces/${id.replaceAll('-', '').toLowerCase()}`
}

const questionOf = (search: Search): string => (search.size > 0 ? `?${search}` : '')
