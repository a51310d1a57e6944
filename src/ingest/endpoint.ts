/** Matches URLs to ingest endpoints. A prefix before `/api/` is ignored: SDKs put the path of their DSN there. */
import { LRUCache } from 'lru-cache'

export type Route =
  | { endpoint: 'envelope'; project: string }
  | { endpoint: 'security'; project: string }
  | { endpoint: 'store'; project: string | null }
  | { endpoint: 'cron'; project: string; slug: string; key: string | undefined }
  | { endpoint: 'vercel'; project: string }
  | { endpoint: 'tunnel' }
  | { endpoint: 'error-page' }
  | { endpoint: 'health'; probe: 'live' | 'ready' }

const projectEndpoint = /\/api\/([^/]+)\/(envelope|store|security|csp-report|nel)\/?$/
const cronEndpoint = /\/api\/([^/]+)\/cron\/([^/]+)(?:\/([^/]+))?\/?$/
const vercelEndpoint = /\/api\/([^/]+)\/integration\/vercel\/logs\/?$/
const bareStoreEndpoint = /\/api\/store\/?$/
const healthEndpoint = /\/api\/relay\/healthcheck\/(live|ready)\/?$/
const errorPageEndpoint = /\/api\/embed\/error-page\/?$/
const tunnelEndpoint = /^(?:\/[\w-]+)?\/tunnel\/?$/

export function matchRoute(path: string): Route | null {
  const [, project, endpoint] = projectEndpoint.exec(path) ?? []
  if (project !== undefined) {
    if (endpoint === 'envelope' || endpoint === 'store') return { endpoint, project }
    return { endpoint: 'security', project }
  }
  if (errorPageEndpoint.test(path)) return { endpoint: 'error-page' }
  if (tunnelEndpoint.test(path)) return { endpoint: 'tunnel' }
  const [, cronProject, slug, key] = cronEndpoint.exec(path) ?? []
  if (cronProject !== undefined && slug !== undefined) return { endpoint: 'cron', project: cronProject, slug, key }
  const [, drained] = vercelEndpoint.exec(path) ?? []
  if (drained !== undefined) return { endpoint: 'vercel', project: drained }
  if (bareStoreEndpoint.test(path)) return { endpoint: 'store', project: null }
  const [, probe] = healthEndpoint.exec(path) ?? []
  return probe === 'live' || probe === 'ready' ? { endpoint: 'health', probe } : null
}

/** Shared between requests, so it must not be changed. */
type ParsedUrl = { route: Route | null; query: URLSearchParams }

/** An SDK always posts to the same URL, so recent ones are cached; longer ones carry data and are not. */
const maxCached = 500
const maxCachedChars = 300

export function createUrlParser(): (url: string | undefined) => ParsedUrl {
  const cache = new LRUCache<string, ParsedUrl>({ max: maxCached })
  return (url = '/') => {
    const cached = cache.get(url)
    if (cached !== undefined) return cached
    const parsed = parseUrl(url)
    if (url.length <= maxCachedChars) cache.set(url, parsed)
    return parsed
  }
}

function parseUrl(url: string): ParsedUrl {
  const mark = url.indexOf('?')
  if (mark === -1) return { route: matchRoute(url), query: new URLSearchParams() }
  return { route: matchRoute(url.slice(0, mark)), query: new URLSearchParams(url.slice(mark + 1)) }
}
