import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { snippetsPrefix } from './snippet-app.ts'

export type ShopCopy = { shopDir: string; remove: () => void }

/**
 * A copy of the built shop for one test. Its start writes Hydrant's address into the build, so two tests that start the same build at
 * once would report to one Hydrant; and a test may break its copy, such as by a deploy that removes files that open tabs still need.
 */
export function copyShop(shopDir: string): ShopCopy {
  const copy = mkdtempSync(join(tmpdir(), 'shop-'))
  const left = [join(shopDir, 'node_modules'), join(shopDir, '.next/cache')]
  cpSync(shopDir, copy, {
    recursive: true,
    // Next's own package links point to the folder that is linked below.
    verbatimSymlinks: true,
    filter: path => !left.includes(path) && !path.startsWith(join(shopDir, snippetsPrefix)),
  })
  symlinkSync(join(shopDir, 'node_modules'), join(copy, 'node_modules'))
  return { shopDir: copy, remove: () => rmSync(copy, { recursive: true, force: true }) }
}
