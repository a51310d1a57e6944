/** Texts that people read are cut between characters: `slice` can leave half of one. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../src')
const cut = /([^\n]*)\.slice\(0, (?:[6-9]\d|\d{3,}|\d_\d{3}|[A-Za-z.]*[cC]hars)\)/g

/** Lists, hashes and ids, what is compared and never shown, and what has whole characters by other means. */
const allowed = [
  /issueIds|lines|characters|Object\.entries|digest|words$/,
  /\b(?:token|code|password|form\.get\(.*)\b/,
  /replaceAll\(\/\[\^A-Za-z0-9/,
  /search\.get|response\.text\(\)/,
  /toWellFormed\(\)/,
  /test\(rel|^ *value$|^ +$/,
]

test('no text for people is cut in the middle of a character', () => {
  const found = globSync('{app,ui,domain,web,api,jobs}/**/*.{ts,tsx}', { cwd: src })
    .filter(path => !path.includes('.test.'))
    .flatMap(path =>
      [...readFileSync(join(src, path), 'utf8').matchAll(cut)]
        .filter(([, before = '']) => !allowed.some(pattern => pattern.test(before)))
        .map(([line]) => `${path}: ${line.trim()}`),
    )
  expect(found).toEqual([])
})
