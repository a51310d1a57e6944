import { expect, test } from 'vitest'
import { parseSearch } from './parse-search.ts'
import { issueFields } from './search-fields.ts'
import { explainNothing, findHints, hasTagTerms } from './search-hints.ts'
import { languageOf } from './search-language.ts'
import { spanFields } from './span-fields.ts'

function hints(text: string, table = issueFields): [message: string, instead: string | undefined][] {
  const parsed = parseSearch(text, languageOf(table))
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
  return findHints(text, parsed.terms, table).map(({ message, instead }) => [message, instead])
}

test('a key that looks like a misspelled field names the field', () => {
  expect(hints('is:new browsr.name:Chrome')).toEqual([
    ['searches the tag browsr.name. Did you mean browser.name?', 'is:new browser.name:Chrome'],
  ])
  expect(hints('relase:1.0')[0]?.[1]).toBe('release:1.0')
  expect(hints('(timeseen:5) x')[0]?.[1]).toBe('(timesSeen:5) x')
  expect(() => hints('timeseen:>5')).toThrow('Did you mean timesSeen:>?')
  expect(hints('!email:a@b.c')[0]?.[1]).toBe('!user.email:a@b.c')
  expect(hints('duraton:>5', spanFields)).toEqual([
    ['searches the attribute duraton. Did you mean duration?', 'duration:>5'],
  ])
})

test('tags that look like no field, and explicit ones, need no hint', () => {
  expect(hints('plan:gold customer:x cart.size:5 tags[relase]:1 level:error browser:Chrome')).toEqual([])
})

test('a comma without brackets is one value', () => {
  expect(hints('!release:a,b')).toEqual([
    ['is read as one value. For several values write them in brackets.', '!release:[a,b]'],
  ])
  expect(hints('release:"a,b" message:a, level:[error,fatal]')).toEqual([])
})

test('words of the language in lower case are words', () => {
  expect(hints('a or b')).toEqual([['is searched as a word. Write OR to join terms.', 'a OR b']])
  expect(hints('NOT a')[0]?.[0]).toContain('Write ! before a term')
  expect(hints('level=error')).toEqual([['is searched as a word. A field is written level:value.', 'level:error']])
  expect(hints('timesSeen>5')[0]?.[1]).toBe('timesSeen:>5')
  expect(hints('a=b >5 x<y')).toEqual([])
})

test('a reading that only approximates says so', () => {
  expect(hints('is:for_review')).toEqual([['is read as is:[new,regressed,escalating].', undefined]])
  expect(hints('browser:"Chrome 120.0"')).toEqual([
    ['is compared with the name only. Versions are in browser.version.', 'browser:Chrome'],
  ])
})

test('there are at most three', () => {
  expect(hints('a or b or c or d or e').length).toBe(3)
})

test('an empty list says which tag nobody sends, and offers a looser search', () => {
  const explain = (text: string) => {
    const { terms } = parseSearch(text)
    return explainNothing(text, terms, issueFields, new Set(['plan', 'customer'])).map(hint => [
      hint.message,
      hint.instead,
    ])
  }
  expect(explain('is:new OR plaan:gold')).toEqual([
    ['finds nothing: no data of this time range has the tag plaan. Did you mean plan?', 'is:new OR plan:gold'],
  ])
  expect(explain('zebra:x')).toEqual([['finds nothing: no data of this time range has the tag zebra.', undefined]])
  expect(explain('(browser.name:chrome level:error) !plan:x')).toEqual([
    [expect.stringContaining('matches this spelling only'), '(browser.name:*chrome* level:error) !plan:x'],
  ])
  expect(explain('release:latest OR firstRelease:latest')).toEqual([])
  // The note under the search box says it already.
  expect(explain('relase:1.0 plan:a,b')).toEqual([])
  expect(explain('plan:[a,b] release:1.* timesSeen:>5 words')).toEqual([])
})

test('only a search with a tag needs the names of all tags', () => {
  const isAboutTags = (text: string) => hasTagTerms(parseSearch(text, languageOf(issueFields)).terms, issueFields)
  expect(isAboutTags('is:escalating level:error TypeError')).toBe(false)
  expect(isAboutTags('is:new (level:error OR !plan:gold)')).toBe(true)
})
