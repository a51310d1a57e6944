/** docs/logs.md lists every field of the log search as the search reads it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { logFields } from './log-fields.ts'
import { parseSearch } from './parse-search.ts'
import { languageOf } from './search-language.ts'

const page = readFileSync(new URL('../../docs/logs.md', import.meta.url), 'utf8')

test('the fields of the log search', () => {
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, key, text]) => [key, text])
  expect(rows).toEqual(Object.entries(logFields.fields).map(([key, { description }]) => [key, description]))
})

test('a log search takes levels, words and any attribute, and explains what it does not take', () => {
  const faults = (text: string) => {
    const parsed = parseSearch(text, languageOf(logFields))
    return parsed.ok ? [] : parsed.faults.map(({ message }) => message)
  }
  expect(faults('level:>=warn route:"/items/[id]" "timed out" !plan:free cart.size:>10 side:[browser,edge]')).toEqual(
    [],
  )
  expect(faults('level:loud')).toEqual(['"loud" is not a level. Use trace, debug, info, warn, error or fatal.'])
  expect(faults('release:>1.0')).toEqual(["release can't be compared with >. Use release:value."])
})
