/**
 * Hydrant as another build of it would be: the same sources and pages with another build id and other ids of server actions, as each build
 * on a machine without the cache of the last one has. A second build would take a minute.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renameBuild } from './rename-build.ts'
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
  renameBuild(built)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
