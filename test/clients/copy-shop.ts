import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A copy of the built shop that a test may break, such as by a deploy that removes files that open tabs still need. */
export function copyShop(shopDir: string): { shopDir: string; remove: () => void } {
  const copy = mkdtempSync(join(tmpdir(), 'shop-'))
  cpSync(shopDir, copy, {
    recursive: true,
    // Next's own package links point to the folder that is linked below.
    verbatimSymlinks: true,
    filter: path => path !== join(shopDir, 'node_modules') && path !== join(shopDir, '.next/cache'),
  })
  symlinkSync(join(shopDir, 'node_modules'), join(copy, 'node_modules'))
  return { shopDir: copy, remove: () => rmSync(copy, { recursive: true, force: true }) }
}
