import { createHash } from 'node:crypto'
import { readImportGraph } from './import-graph.mjs'

/** Pages are built from these and from what they import. Other files need no build, since Node runs TypeScript directly. */
export const pageEntries = [
  'src/app',
  'src/instrumentation.ts',
  'next.config.ts',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.next.json',
]

/** Changes with what the pages are built from, and is the same in each folder and at each time. */
export const digestPageSources = root => digestTexts(root, readImportGraph(root, pageEntries))

/** A hash of names and contents. */
export function digestTexts(root, graph) {
  const hash = createHash('sha256')
  for (const [path, text] of [...graph].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(path.slice(root.length)).update('\0').update(text).update('\0')
  return hash.digest('hex')
}
