/** Which door an address names. What stands before `/api/` is ignored: SDKs keep the path of their DSN there. */

export type Route =
  | { endpoint: 'envelope'; project: string }
  | { endpoint: 'security'; project: string }
  | { endpoint: 'store'; project: string | null }
  | { endpoint: 'cron'; project: string; slug: string; key: string | undefined }
  | { endpoint: 'tunnel' }
  | { endpoint: 'health'; probe: 'live' | 'ready' }

const projectEndpoint = /\/api\/([^/]+)\/(envelope|store|security|csp-report|nel)\/?$/
const cronEndpoint = /\/api\/([^/]+)\/cron\/([^/]+)(?:\/([^/]+))?\/?$/
const bareStoreEndpoint = /\/api\/store\/?$/
const healthEndpoint = /\/api\/relay\/healthcheck\/(live|ready)\/?$/
const tunnelEndpoint = /^(?:\/[\w-]+)?\/tunnel\/?$/

export function matchRoute(path: string): Route | null {
  const [, project, endpoint] = projectEndpoint.exec(path) ?? []
  if (project !== undefined) {
    if (endpoint === 'envelope' || endpoint === 'store') return { endpoint, project }
    return { endpoint: 'security', project }
  }
  if (tunnelEndpoint.test(path)) return { endpoint: 'tunnel' }
  const [, cronProject, slug, key] = cronEndpoint.exec(path) ?? []
  if (cronProject !== undefined && slug !== undefined) return { endpoint: 'cron', project: cronProject, slug, key }
  if (bareStoreEndpoint.test(path)) return { endpoint: 'store', project: null }
  const [, probe] = healthEndpoint.exec(path) ?? []
  return probe === 'live' || probe === 'ready' ? { endpoint: 'health', probe } : null
}
