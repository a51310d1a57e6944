import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** The files below a folder, in order, with slashes. Links are left out. */
export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .toSorted()
