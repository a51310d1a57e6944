import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isChanged } from '#dev/is-changed.ts'
import { readImportGraph } from '../bin/import-graph.mjs'

let root: string
const write = (name: string, text: string) => writeFileSync(join(root, 'src', name), text)

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'hydrant-graph-'))
  mkdirSync(join(root, 'src/lib'), { recursive: true })
  write(
    'main.ts',
    [
      "import './effect.ts'",
      "import type { A } from './only-type.ts'",
      "import {\n  b,\n  type C,\n} from '#lib/b.ts'",
      "const lazy = () => import('./lazy.ts')",
      "new Worker(new URL('./worker.ts', import.meta.url))",
      "import zod from 'zod'",
    ].join('\n'),
  )
  write('effect.ts', "export { d } from './main.ts'\n")
  for (const name of ['only-type.ts', 'lib/b.ts', 'lazy.ts', 'worker.ts', 'stranger.ts']) write(name, '')
})
afterAll(() => rmSync(root, { recursive: true }))

test('the graph has what a program loads, and no types', () => {
  const graph = readImportGraph(root, ['src/main.ts'])
  const names = [...graph.keys()].map(path => path.slice(root.length + 5)).sort()
  expect(names).toEqual(['effect.ts', 'lazy.ts', 'lib/b.ts', 'main.ts', 'worker.ts'])
})

test('a file has changed if its text has', () => {
  const graph = readImportGraph(root, ['src/main.ts'])
  const changed = (name: string) => isChanged(graph, join(root, 'src', name))
  write('lib/b.ts', '')
  expect(changed('lib/b.ts')).toBe(false)
  write('lib/b.ts', 'export const b = 1')
  write('stranger.ts', 'export const b = 1')
  rmSync(join(root, 'src/effect.ts'))
  expect(['lib/b.ts', 'stranger.ts', 'effect.ts'].map(changed)).toEqual([true, false, true])
})

test('the program of this repository is followed to its threads', () => {
  const here = join(import.meta.dirname, '..')
  const main = readImportGraph(here, ['src/dev/dev-main.ts'])
  for (const name of ['digest/digest-worker.ts', 'symbolication/symbolicate-worker.ts', 'ingest/create-ingest.ts'])
    expect(main.has(join(here, 'src', name)), name).toBe(true)
  expect(main.has(join(here, 'src/app/layout.tsx'))).toBe(false)
})
