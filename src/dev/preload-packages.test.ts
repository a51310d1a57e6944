import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readImportGraph } from '../../bin/import-graph.mjs'
import { listPackages } from './preload-packages.ts'

const root = join(import.meta.dirname, '../..')

test('finds the packages of a program in all forms of imports, and no code of Hydrant', () => {
  const text = `
import 'side-effect'
import one, { type Two } from 'named/inside'
import {
  three,
} from '@scope/three'
import type { Types } from 'only-types'
export { four } from 'four'
import { own } from './own.ts'
import { shared } from '#lib/shared.ts'
const five = await import('five')
const six = await import('./six.ts')
`
  expect(listPackages(new Map([['program.ts', text]]))).toEqual([
    'side-effect',
    'named/inside',
    '@scope/three',
    'four',
    'five',
  ])
})

test.each([
  ['main', ['kysely', 'pino', '@clickhouse/client', 'better-sqlite3']],
  ['web', ['next', 'better-auth', 'kysely', 'zod']],
])('%s has packages that can be loaded in advance', (name, expected) => {
  expect(listPackages(readImportGraph(root, [`src/dev/dev-${name}.ts`]))).toEqual(expect.arrayContaining(expected))
})
