/**
 * Sentry's tools print URLs of Sentry's pages, and people have them in tickets and bookmarks. They redirect to the same pages here:
 * `/organizations/acme/issues/?query=is:resolved` → `/acme/issues?q=is%3Aresolved`. The result is always a path of the organization that
 * the URL names, so it leads nowhere else and says nothing of what exists: the page that opens checks who asks.
 */
import { clipText, decodePart, trimEndOf } from '#lib/text.ts'
import { fieldTerm, formatSearch } from '#search/search-term.ts'
import { eventFilter, listQuery, scopeQuery } from './sentry-params.ts'

type Search = URLSearchParams
type Move = {
  /** The path after `/organizations/<org>/`, without slashes around it. */
  from: RegExp
  to: (found: readonly string[], search: Search, now: number) => string
}

const org = '[A-Za-z0-9][A-Za-z0-9_-]*'
const organizationPath = new RegExp(`^/organizations/(${org})(?:/(.*))?$`)
const settingsPath = new RegExp(`^/settings/(?!account(?:/|$)|projects(?:/|$))(${org})(?:/(.*))?$`)
const signInPath = new RegExp(`^/auth/login(?:/(${org}))?$`)
const traceId = '([0-9a-fA-F-]{32,36})'

const moves: readonly Move[] = [
  { from: /^$/, to: () => '' },
  {
    from: /^(?:issues\/)?(?:alerts\/rules|monitors\/alerts)\/(?:[\w-]+\/)?(\d+)(?:\/.*)?$/,
    to: ([id]) => `/alerts/rules/${id}`,
  },
  { from: /^(?:(?:issues\/)?alerts|monitors\/alerts)(?:\/.*)?$/, to: () => '/alerts' },
  { from: /^(?:(?:issues\/)?feedback|user-feedback)(?:\/.*)?$/, to: () => '/feedback' },
  { from: /^(?:explore\/)?(?:profiling|profiles)(?:\/.*)?$/, to: () => '/profiles' },
  {
    from: /^(?:issues(?:\/(?:feed|views|errors-outages|warnings|autofix)(?:\/.*)?)?|explore\/errors)$/,
    to: (_, search, now) => `/issues${listQuery('issues', search, now)}`,
  },
  // An event of Discover, `web:3f2a…`, is found by its id.
  {
    from: /^(?:explore\/)?discover\/[\w.-]+:([0-9a-fA-F]{32})(?:\/.*)?$/,
    to: ([id = '']) => search('issues', 'id', id),
  },
  {
    from: /^(?:explore\/)?discover(?:\/.*)?$/,
    to: (_, search, now) => `/issues${listQuery('issues', search, now)}`,
  },
  {
    from: /^issues\/([^/]+)\/events$/,
    to: ([issue = ''], search, now) => `/issues/${issue}/events${eventFilter(search, now)}`,
  },
  {
    from: /^issues\/([^/]+)(?:\/events\/([^/]+))?(?:\/.*)?$/,
    to: ([issue = '', event], search, now) =>
      `/issues/${issue}${event ? `/events/${plainId(event)}` : ''}${eventFilter(search, now)}`,
  },
  {
    from: new RegExp(`^(?:(?:explore/)?traces/trace|performance/trace|traces)/${traceId}$`),
    to: ([id = '']) => toTrace(id),
  },
  {
    from: /^performance\/summary(?:\/.*)?$/,
    to: (_, params, now) => {
      const name = params.get('transaction')
      return name ? search('traces', 'segment', name) : `/traces${listQuery('traces', params, now)}`
    },
  },
  {
    from: /^(?:explore\/(?:traces|spans)|traces|performance(?:\/.*)?)$/,
    to: (_, search, now) => `/traces${listQuery('traces', search, now)}`,
  },
  { from: /^(?:explore\/)?logs$/, to: (_, search, now) => `/logs${listQuery('logs', search, now)}` },
  { from: /^(?:explore\/)?replays$/, to: () => '/replays' },
  {
    from: new RegExp(`^(?:explore/)?replays/(?:[\\w-]+:)?${traceId}$`),
    to: ([id = ''], params) => `/replays/${plainId(id)}${secondsQuery(params.get('t'))}`,
  },
  { from: /^insights(?:\/.*)?$/, to: (_, search, now) => `/routes${scopeQuery(search, now, '7d')}` },
  {
    from: /^releases$/,
    to: (_, search, now) => `/releases${scopeQuery(search, now, '7d', search.get('query'))}`,
  },
  { from: /^releases\/([^/]+)(?:\/.*)?$/, to: ([version = '']) => `/releases/${version}` },
  { from: /^projects(?:\/new(?:\/.*)?)?$/, to: () => '/projects' },
  { from: /^projects\/([^/]+)(?:\/.*)?$/, to: ([slug = '']) => `/projects/${slug}` },
  { from: /^(?:members|teams)(?:\/.*)?$/, to: () => '/settings/members' },
  { from: /^(?:settings|stats)(?:\/.*)?$/, to: () => '/settings' },
  // A page without counterpart: the organization's page for unknown addresses explains it.
  { from: /^([\w.~%:@-]+(?:\/[\w.~%:@-]+)*)$/, to: ([rest = '']) => `/${rest}` },
]

/** A link to a moment of a replay: `?t=88` is in seconds here and there. */
const secondsQuery = (t: string | null): string => (t !== null && /^\d{1,6}(?:\.\d{1,3})?$/.test(t) ? `?t=${t}` : '')

/** Not in next.config.ts, because the parameters have other names. Null for all other URLs. */
export function findSentryMove(url: string, now = Date.now()): string | null {
  const mark = url.indexOf('?')
  const path = trimEndOf(mark === -1 ? url : url.slice(0, mark), '/')
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))
  const [, slug, setting = ''] = settingsPath.exec(path) ?? []
  if (slug) return `/${slug}${moveSetting(setting)}`
  const [signIn, member = ''] = signInPath.exec(path) ?? []
  if (signIn) return member ? `/login?${new URLSearchParams({ next: `/${member}` })}` : '/login'
  const [, organization, page = ''] = organizationPath.exec(path) ?? []
  if (!organization || page.split('/').some(isDots)) return null
  for (const { from, to } of moves) {
    const found = from.exec(page)
    if (found) return `/${organization}${to(found.slice(1), query, now)}`
  }
  return null
}

/** Browsers resolve them, also encoded: they would leave the organization. */
const isDots = (part: string): boolean => /^(?:\.|%2e){1,2}$/i.test(part)

/** Sentry names the organization in the host name: these are its first words of paths without one. */
const pagesWithoutOrganization = new Set(
  'issues explore discover traces logs performance releases projects insights settings'.split(' '),
)

/** `/issues/WEB-12/` in the organization that the user has opened first; null for other URLs. */
export function findHomeMove(url: string, home: string): string | null {
  const [, first = '', rest = ''] = /^\/([a-z]+)([/?].*)?$/s.exec(url) ?? []
  if (!pagesWithoutOrganization.has(first)) return null
  if (first === 'settings' && /^\/account(?:[/?]|$)/.test(rest)) return '/account'
  return findSentryMove(first === 'settings' ? `/settings/${home}${rest}` : `/organizations/${home}/${first}${rest}`)
}

const settingsMoves = [
  { from: /(?:^|\/)(?:auth-tokens|api-keys)/, to: '/settings/tokens' },
  { from: /^(?:members|teams)(?:\/|$)/, to: '/settings/members' },
  { from: /^audit-log(?:\/|$)/, to: '/settings/audit' },
]

function moveSetting(page: string): string {
  const [, project, part = ''] = /^projects\/([^/]+)(?:\/(.*))?$/.exec(page) ?? []
  if (project === undefined) return settingsMoves.find(({ from }) => from.test(page))?.to ?? '/settings'
  if (/^keys(?:\/|$)/.test(part)) return '/settings#keys'
  return `/projects/${project}${/^filters(?:\/|$)/.test(part) ? '/filters' : '/settings'}`
}

/** A list, searched for one value. */
const search = (page: 'issues' | 'traces', key: string, value: string): string =>
  `/${page}?${new URLSearchParams({ q: formatSearch([fieldTerm(key, [clipText(value, 300)])]), range: '90d' })}`

const plainId = (id: string): string => {
  const plain = decodePart(id).replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(plain) ? plain : id
}

const toTrace = (id: string): string => `/traces/${id.replaceAll('-', '').toLowerCase()}`
