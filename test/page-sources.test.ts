/** `npm start` builds the pages again if one of these files changed, and only then. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readImportGraph } from '../bin/import-graph.mjs'
import { pageEntries } from '../bin/page-sources.mjs'

const root = join(import.meta.dirname, '..')
const graph = readImportGraph(root, pageEntries)
const has = (name: string) => graph.has(join(root, name))

it('has the pages, their components, styles and queries', () => {
  for (const name of [
    'src/app/layout.tsx',
    'src/app/globals.css',
    'src/ui/styles/tokens.css',
    'src/ui/link-pending.tsx',
    'src/domain/issues/list-issues.ts',
    'src/instrumentation.ts',
    'next.config.ts',
    'package-lock.json',
  ])
    expect(has(name), name).toBe(true)
})

it('has nothing of what only the servers load', () => {
  const rooms = ['supervisor', 'ingest', 'digest', 'inbox', 'jobs', 'cli', 'dev', 'engine/native', 'hydration-helper']
  const loaded = [...graph.keys()].map(path => path.slice(root.length + 1))
  expect(loaded.filter(path => rooms.some(room => path.startsWith(`src/${room}/`)))).toEqual([])
  expect(loaded.filter(path => /\.test\.|^test\//.test(path))).toEqual([])
})

/** Any text that looks like an import, wherever it is in a file and however it is written. */
const anyImport = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"`]([#.][^'"`\n]*)['"`]/g
const typeImport = /\b(?:import|export)\s+type\b[^'"`]*?\bfrom\s*['"`][^'"`]+['"`]|\bimport\(type\s[^)]*\)/g

it('misses no import of a value', () => {
  const missing = [...graph].flatMap(([path, text]) =>
    [...text.replace(typeImport, '').matchAll(anyImport)]
      .map(([, name = '']) => (name.startsWith('#') ? join(root, 'src', name.slice(1)) : join(dirname(path), name)))
      .filter(target => existsSync(target) && !graph.has(target))
      .map(target => `${path} imports ${target}`),
  )
  expect(missing).toEqual([])
})

it('reads each file as it is', () => {
  const text = readFileSync(join(root, 'src/app/layout.tsx'), 'utf8')
  expect(graph.get(join(root, 'src/app/layout.tsx'))).toBe(text)
})
