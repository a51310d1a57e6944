/**
 * Hydrant as another build of it would be: the same sources and pages with another build id and other ids of server actions, as each build
 * on a machine without the cache of the last one has. A second build would take a minute.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './start-hydrant.ts'

export type NewBuild = { folder: string; remove(): void }

export function copyAsNewBuild(): NewBuild {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-build-'))
  for (const name of ['src', 'package.json', 'next.config.ts', 'tsconfig.json', 'tsconfig.next.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', '.engine']) symlinkSync(join(root, name), join(folder, name))
  const built = join(folder, '.next')
  const isCache = (path: string) => path === join(root, '.next/cache')
  cpSync(join(root, '.next'), built, {
    recursive: true,
    verbatimSymlinks: true,
    filter: path => !isCache(path),
  })
  const buildId = readFileSync(join(built, 'BUILD_ID'), 'utf8')
  const actions: { node: Record<string, unknown> } = JSON.parse(
    readFileSync(join(built, 'server/server-reference-manifest.json'), 'utf8'),
  )
  const ids = new Map([[buildId, reversed(buildId)]])
  // The first byte says what the action takes.
  for (const id of Object.keys(actions.node)) ids.set(id, id.slice(0, 2) + reversed(id.slice(2)))
  // Other content has another name, and browsers keep what a name once meant.
  for (const name of readdirSync(join(built, 'static/chunks'))) ids.set(name, `n${name}`)
  const pattern = new RegExp([...ids.keys()].map(id => id.replaceAll('.', '\\.')).join('|'), 'g')
  for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:js|json|rsc|html)$|^BUILD_ID$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const text = readFileSync(path, 'utf8')
    const changed = text.replace(pattern, id => ids.get(id) ?? id)
    if (changed !== text) writeFileSync(path, changed)
  }
  for (const name of readdirSync(join(built, 'static/chunks')))
    renameSync(join(built, 'static/chunks', name), join(built, 'static/chunks', `n${name}`))
  renameSync(join(built, 'static', buildId), join(built, 'static', reversed(buildId)))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const reversed = (text: string): string => [...text].reverse().join('')
