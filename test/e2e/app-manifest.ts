/** The routes and actions of the built app, read from Next's manifests, so that none can be forgotten. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../start-hydrant.ts'

export type Action = { id: string; name: string; pages: string[] }

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, '.next', path), 'utf8'))

/** Next's path patterns of all pages and route handlers: `/[org]/issues`. A slot (`@peek`) has no path of its own. */
export function listRoutes(): string[] {
  const routes = Object.entries(read('app-path-routes-manifest.json') as Record<string, string>)
  return routes.flatMap(([file, pattern]) => (file.includes('/@') ? [] : [pattern])).sort()
}

/** Every server action as `file#export`, with the path patterns of its pages. */
export function listActions(): Action[] {
  type Entry = { workers: Record<string, unknown>; filename: string; exportedName: string }
  const routes = read('app-path-routes-manifest.json') as Record<string, string>
  const { node } = read('server/server-reference-manifest.json') as { node: Record<string, Entry> }
  return Object.entries(node).map(([id, { workers, filename, exportedName }]) => ({
    id,
    name: `${filename.replace('src/app/', '')}#${exportedName}`,
    pages: Object.keys(workers).map(worker => routes[worker.replace(/^app/, '')] ?? worker),
  }))
}
