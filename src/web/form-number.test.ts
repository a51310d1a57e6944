import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formCount, formId, optionalFormId } from './form-number.ts'

const nonsense = [
  'undefined',
  'NaN',
  '-1',
  '12x',
  '1e3',
  '0x4d',
  ' 7',
  '7 ',
  '7.0',
  '+7',
  '٧',
  '[7]',
  '9'.repeat(40),
  '\0',
  7,
  ['7'],
  {},
]

test('an id is digits and nothing else', () => {
  expect([formId.parse('7'), formId.parse('999999999999999')]).toEqual([7, 999_999_999_999_999])
  for (const text of [...nonsense, '', '0', '07']) expect([text, formId.safeParse(text).success]).toEqual([text, false])
})

test('only an empty or missing choice is read as null', () => {
  expect([optionalFormId.parse(''), optionalFormId.parse(undefined), optionalFormId.parse('7')]).toEqual([
    null,
    null,
    7,
  ])
  for (const text of nonsense) expect([text, optionalFormId.safeParse(text).success]).toEqual([text, false])
})

test('a count is a whole number from 0', () => {
  expect([formCount.parse('0'), formCount.parse('12')]).toEqual([0, 12])
  for (const text of [...nonsense, '']) expect([text, formCount.safeParse(text).success]).toEqual([text, false])
})

/** These read numbers that can have a sign or a fraction, or numbers from a URL, which doesn't write anything. */
const coercing = ['alerts/rules/new-metric.ts', 'feedback/search-params.ts', 'releases/search-params.ts']

test('no other form reads a number from whatever a number can be read from', () => {
  const folder = join(import.meta.dirname, '../app')
  const found = globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter(path => readFileSync(join(folder, path), 'utf8').includes('z.coerce'))
    .map(path => path.replaceAll('\\', '/').replace('(app)/[org]/', ''))
  expect(found.sort()).toEqual(coercing)
})
