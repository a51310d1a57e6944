/** Which paths of better-auth can be reached from outside. Most of its advisories were in routes that it mounted by itself. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')

test('no file hands requests to better-auth: our actions call it', () => {
  const callers = globSync('**/*.{ts,tsx}', { cwd: src })
    .filter(path => !path.endsWith('.test.ts'))
    .filter(path => /toNextJsHandler|\bauth\.handler\b|\.handler\(request/.test(readFileSync(join(src, path), 'utf8')))
  expect(callers).toEqual([])
})
