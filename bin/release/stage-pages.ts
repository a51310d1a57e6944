/** What `next build` made, as files of a package: without caches, keys and links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFiles } from './list-files.ts'

/** Caches, reports, and lists for deployments that copy single files. */
const left =
  /^(?:cache|types|diagnostics|turbopack|node_modules|dev)\/|^(?:trace|trace-build|export-marker\.json|\.hydrant-build)$|\.nft\.json$|\.map$/

/** Web refuses what these keys would open, and gets the other one from the installation's secret. */
const notUsed = (keys: object) => Object.fromEntries(Object.keys(keys).map(key => [key, 'not used']))
const noKeys: Record<string, (manifest: { preview?: object }) => object> = {
  'server/preview-props.json': notUsed,
  'prerender-manifest.json': ({ preview = {}, ...manifest }) => ({ ...manifest, preview: notUsed(preview) }),
  'server/server-reference-manifest.json': manifest => ({ ...manifest, encryptionKey: '' }),
}

/** By path below the build's folder. */
export function stagePages(folder: string): Map<string, Buffer> {
  const linked = listLinked(join(folder, 'node_modules'))
  const staged = new Map<string, Buffer>()
  for (const name of listFiles(folder)) {
    if (left.test(name)) continue
    const bytes = readFileSync(join(folder, name))
    const withoutKeys = noKeys[name]
    if (name.startsWith('required-server-files.')) staged.set(name, withoutMachine(bytes, dirname(folder)))
    else if (withoutKeys !== undefined)
      staged.set(name, Buffer.from(JSON.stringify(withoutKeys(JSON.parse(bytes.toString())))))
    else if (name.startsWith('server/') && name.endsWith('.js')) staged.set(name, withPlainNames(bytes, linked))
    else staged.set(name, bytes)
  }
  staged.set('server/server-reference-manifest.js', Buffer.from(asScript(staged)))
  return staged
}

/** Without the folder of the build, and whether that had a cache. */
const withoutMachine = (bytes: Buffer, root: string): Buffer =>
  Buffer.from(
    bytes
      .toString()
      .replaceAll(root, '.')
      .replace(/(\\?"turbopackFileSystemCacheForBuild\\?":\s*)true/, '$1false'),
  )

/** Next evaluates this copy in routes that run on the edge. */
function asScript(staged: ReadonlyMap<string, Buffer>): string {
  return `self.__RSC_SERVER_MANIFEST=${JSON.stringify(String(staged.get('server/server-reference-manifest.json')))}`
}

/** Next links the packages that it leaves outside of its bundles as `pg-587764f78a6c7a9c`, and npm packs no links. */
function listLinked(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap(name =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map(one => `${name}/${one}`) : [name],
  )
}

function withPlainNames(bytes: Buffer, linked: readonly string[]): Buffer {
  const text = bytes.toString()
  const plain = linked.reduce((whole, name) => whole.replaceAll(name, name.replace(/-[0-9a-f]{16}$/, '')), text)
  return plain === text ? bytes : Buffer.from(plain)
}
