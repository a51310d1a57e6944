/** docs/issues.md lists every field, alias and unsupported key as the search reads them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseSearch } from './parse-search.ts'
import { issueFields } from './search-fields.ts'

const page = readFileSync(new URL('../../docs/issues.md', import.meta.url), 'utf8')

/** The cells of the table under this heading row. */
function rowsUnder(head: string): string[][] {
  return page.split('\n\n').flatMap(block => {
    const [first, , ...rows] = block.split('\n')
    return first === head ? rows.map(row => row.slice(2, -2).split(' | ')) : []
  })
}

const code = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)

test('the fields of the issue search', () => {
  const documented = rowsUnder('| field | searches |').map(([key, text]) => [code(key)[0], text])
  const own = Object.entries(issueFields.fields).map(([key, { description }]) => [key, description])
  expect(documented).toEqual(own)
})

test('Sentry’s spellings and what they mean, or why they mean nothing', () => {
  const documented = rowsUnder('| Sentry | here |').flatMap(([typed, meant = '']) =>
    code(typed).map(key => [key, /^`[^`]+`$/.test(meant) ? meant.slice(1, -1) : meant]),
  )
  const { aliases = {}, stateAliases = {}, unsupported = {} } = issueFields
  const states = Object.entries(stateAliases).map(([word, meant]) => [
    `is:${word}`,
    meant.length === 1 ? `is:${meant[0]}` : `is:[${meant.join(',')}]`,
  ])
  const byKey = (rows: (string | undefined)[][]) => rows.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))
  expect(byKey(documented)).toEqual(byKey([...Object.entries(aliases), ...states, ...Object.entries(unsupported)]))
})

test('every example in the table of the syntax is a valid search', () => {
  const examples = rowsUnder('| write | to find |').flatMap(([cell]) => code(cell))
  expect(examples.length).toBeGreaterThan(15)
  for (const example of examples) expect([example, parseSearch(example).ok]).toEqual([example, true])
})
