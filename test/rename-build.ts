/** Renames the chunks, server actions and the id of a build of Next.js, as a deploy does. Tabs of the old build miss its files. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function renameBuild(built: string): void {
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
}

const reversed = (text: string): string => [...text].reverse().join('')
