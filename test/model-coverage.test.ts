/** No query of a page or of the API is left out of the model (`test/contract/model/`). */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { coverage } from './contract/model/coverage.ts'

const domain = join(import.meta.dirname, '../src/domain')
const model = join(import.meta.dirname, 'contract/model')
const textOf = (path: string): string => readFileSync(path, 'utf8')

/** Reads a store on behalf of a viewer. Commands change what they read, and have tests of their own. */
const isQuery = (path: string): boolean =>
  !path.includes('/commands/') &&
  /viewer\.(?:control|telemetry)\b|\{scope\}|\bqueryRouteSums\(|\b(?:control|telemetry)\.within\(|: ScopedTelemetry/.test(
    textOf(join(domain, path)),
  )

const queries = globSync('**/*.ts', { cwd: domain })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => !path.endsWith('.test.ts') && isQuery(path))

test('the model knows every file that reads a store for a viewer, and no other', () => {
  expect(queries.filter(path => !Object.hasOwn(coverage, path))).toEqual([])
  const existing = new Set(globSync('**/*.ts', { cwd: domain }).map(path => path.replaceAll('\\', '/')))
  expect(Object.keys(coverage).filter(path => !existing.has(path))).toEqual([])
})

test('the part of the model that covers a query calls it', () => {
  const fileOf = (part: string): string => join(model, part === 'searches' ? 'searches.ts' : `compare-${part}.ts`)
  const missing = Object.entries(coverage).flatMap(([path, how]) => {
    if (typeof how === 'object' && 'not' in how) return []
    const { part, via } = typeof how === 'string' ? { part: how, via: path } : how
    return textOf(fileOf(part)).includes(`from '#domain/${via}'`) ? [] : [`${path}: ${part} does not import ${via}`]
  })
  expect(missing).toEqual([])
})

test('each part of the model runs', () => {
  const text = textOf(join(model, 'model.test.ts'))
  const parts = globSync('compare-*.ts', { cwd: model })
  expect(parts.length).toBeGreaterThan(5)
  for (const part of parts) expect(text).toContain(`from './${part}'`)
})
