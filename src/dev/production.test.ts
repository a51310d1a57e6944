/** The sign-in of `npm run dev` is no code of production: none of its programs and pages loads this folder. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ImportGraph, readImportGraph } from '../../bin/import-graph.mjs'
import { signInHeader } from './sign-in-header.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'src/dev/')
const ofDev = (graph: ImportGraph) => [...graph.keys()].filter(path => path.startsWith(folder))
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(path => !/\.test\.tsx?$/.test(path))
const programs = [
  'src/main.ts',
  'src/web/web-process.ts',
  'src/engine/engine-process.ts',
  'src/cli/hydrant.ts',
  'src/instrumentation.ts',
]

test('no program of production loads it, and neither does any page', () => {
  const production = readImportGraph(root, [...programs, ...sources.filter(path => path.startsWith('src/app/'))])
  expect(ofDev(production)).toEqual([])
  for (const name of ['src/supervisor/run-main.ts', 'src/web/run-web.ts', 'src/ui/link.tsx'])
    expect(production.has(join(root, name)), name).toBe(true)
  expect(ofDev(readImportGraph(root, ['src/dev/dev-web.ts']))).toContain(`${folder}sign-in-owner.ts`)
  expect(ofDev(readImportGraph(root, ['src/dev/dev-main.ts']))).toContain(`${folder}may-sign-in.ts`)
})

test('no other file knows the header, or starts a program of this folder', () => {
  const others = sources.filter(path => !path.startsWith('src/dev/'))
  const wrong = others.filter(path => {
    // Packages of other frameworks have such folders, and snippets name them.
    const text = readFileSync(join(root, path), 'utf8').replaceAll('@react-router/dev/', '')
    return text.includes(signInHeader) || /['"/]dev-(?:main|web|cli)|['"/]dev\/|NODE_ENV === 'development'/.test(text)
  })
  expect(wrong).toEqual([])
  expect(others.length).toBeGreaterThan(500)
})
