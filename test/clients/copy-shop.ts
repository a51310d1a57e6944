import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A copy of the built shop that a test may break, as a deploy does that takes away what open tabs still need. */
export function copyShop(shopDir: string): { shopDir: string; remove: () => void } {
  const copy = mkdtempSync(join(tmpdir(), 'shop-'))
  cpSync(shopDir, copy, {
    recursive: true,
    // Next's own links to packages lead to the folder that is linked below.
    verbatimSymlinks: true,
    filter: path => path !== join(shopDir, 'node_modules') && path !== join(shopDir, '.next/cache'),
  })
  symlinkSync(join(shopDir, 'node_modules'), join(copy, 'node_modules'))
  return { shopDir: copy, remove: () => rmSync(copy, { recursive: true, force: true }) }
}
