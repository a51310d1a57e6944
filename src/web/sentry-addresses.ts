import type { IncomingMessage, ServerResponse } from 'node:http'
import { trimEndOf } from '#lib/text.ts'

type Search = URLSearchParams
type Move = {
  /** The path after `/organizations/<org>/`, without the trailing slash. */
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
  { from: /^((?:issues|releases|projects)(?:\/.*)?)$/, to: (rest, search) => `/${rest}${queryString(search)}` },
]

/**
 * Sentry's tools print URLs of Sentry's pages, which redirect to the same pages here: `/organizations/acme/issues/?query=is:resolved` →
 * `/acme/issues?q=is%3Aresolved`. Not in next.config.ts, because the parameters have other names. Null for all other URLs.
 */
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

/** Translates the parameters of a list. Project ids are dropped, because lists use slugs. */
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
    return `/${name}${queryString(kept)}`
  }
}

function toTrace(id: string): string {
  return `/traces/${id.replaceAll('-', '').toLowerCase()}`
}

const queryString = (search: Search): string => (search.size > 0 ? `?${search}` : '')

/** The methods of a route in the format of the `Allow` header. */
type FindAllowed = (path: string) => Promise<string | null>

/**
 * An empty 405, for a method that a route doesn't have, becomes a JSON error with the allowed methods under /api/. The router of /api/0
 * names them; Next doesn't, so for its routes the headers are delayed until they are known.
 */
export function explainMethodErrors(
  request: IncomingMessage,
  response: ServerResponse,
  findAllowed: FindAllowed,
): void {
  const { url = '', method } = request
  if (!url.startsWith('/api/')) return
  const own = { writeHead: response.writeHead.bind(response), end: response.end.bind(response) }
  let isMethodError = false
  const writeHead = (status: number, ...rest: never[]) => {
    isMethodError = status === 405
    return isMethodError ? response : own.writeHead(status, ...rest)
  }
  const end = (...rest: never[]) => {
    if (!isMethodError && response.statusCode !== 405) return own.end(...rest)
    Object.assign(response, own)
    const named = response.getHeader('allow')
    const allowed = named === undefined ? findAllowed(url) : Promise.resolve(String(named))
    void sendMethodError(response, `The method ${method} is not allowed here.`, allowed)
    return response
  }
  Object.assign(response, { writeHead, end })
}

async function sendMethodError(
  response: ServerResponse,
  detail: string,
  allowed: Promise<string | null>,
): Promise<void> {
  const allow = (await allowed.catch(() => null)) ?? 'OPTIONS'
  for (const name of ['allow', 'content-encoding', 'transfer-encoding']) response.removeHeader(name)
  sendJsonError(response, 405, detail, { allow })
}

function sendJsonError(response: ServerResponse, status: 400 | 405, detail: string, headers = {}): void {
  const body = Buffer.from(JSON.stringify({ detail }))
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(body)
}

/** `/api/0/projects/?limit=5` → `/api/0/projects?limit=5`. Sentry's tools end every path with a slash. */
export function withoutLastSlash(url: string): string {
  const queryAt = url.indexOf('?')
  const path = queryAt === -1 ? url : url.slice(0, queryAt)
  return trimEndOf(path, '/') + url.slice(path.length)
}

/** Next answers invalid percent-encoding (`/api/0/%zz`) with a 500, before any route. Under /api/ it is a 400. True if it was sent. */
export function refuseInvalidEncoding({ url = '' }: IncomingMessage, response: ServerResponse): boolean {
  if (!url.startsWith('/api/')) return false
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return false
  } catch {
    sendJsonError(response, 400, 'The path is not valid percent-encoding.')
    return true
  }
}
