/** Which door an address names. What stands before `/api/` is ignored: SDKs keep the path of their DSN there. */

export type Route =
  | { door: 'envelope'; project: string }
  | { door: 'security'; project: string }
  | { door: 'store'; project: string | null }
  | { door: 'cron'; project: string; slug: string; key: string | undefined }
  | { door: 'tunnel' }
  | { door: 'health'; probe: 'live' | 'ready' }

const projectDoor = /\/api\/([^/]+)\/(envelope|store|security|csp-report|nel)\/?$/
const cronDoor = /\/api\/([^/]+)\/cron\/([^/]+)(?:\/([^/]+))?\/?$/
const bareStoreDoor = /\/api\/store\/?$/
const healthDoor = /\/api\/relay\/healthcheck\/(live|ready)\/?$/
const tunnelDoor = /^(?:\/[\w-]+)?\/tunnel\/?$/

export function matchRoute(path: string): Route | null {
  const [, project, door] = projectDoor.exec(path) ?? []
  if (project !== undefined) {
    if (door === 'envelope' || door === 'store') return { door, project }
    return { door: 'security', project }
  }
  if (tunnelDoor.test(path)) return { door: 'tunnel' }
  const [, cronProject, slug, key] = cronDoor.exec(path) ?? []
  if (cronProject !== undefined && slug !== undefined) return { door: 'cron', project: cronProject, slug, key }
  if (bareStoreDoor.test(path)) return { door: 'store', project: null }
  const [, probe] = healthDoor.exec(path) ?? []
  return probe === 'live' || probe === 'ready' ? { door: 'health', probe } : null
}
