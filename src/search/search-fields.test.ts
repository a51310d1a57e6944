import { expect, test } from 'vitest'
import { fieldTables } from './field-tables.ts'
import { parseSearch } from './parse-search.ts'
import { languageOf } from './search-language.ts'
import { spanFields } from './span-fields.ts'

const faults = (text: string) => {
  const parsed = parseSearch(text, languageOf(spanFields))
  return parsed.ok ? [] : parsed.faults.map(({ message }) => message)
}

test('a span search accepts durations, statuses, sides and any attribute as text or number', () => {
  const text =
    'is:segment route:"/items/[id]" duration:>500ms status:error side:[browser,edge] user.id:u1 cart.size:>=12.5 plan:gold'
  expect(faults(text)).toEqual([])
})

test('an invalid span search explains what to use instead', () => {
  expect(faults('is:unresolved')).toEqual(['"unresolved" is not a kind of span. Use segment or prefetch.'])
  expect(faults('duration:>fast')).toEqual(['duration takes a time, like duration:>500ms or duration:<2s.'])
  expect(faults('cart.size:>many')).toEqual(['cart.size is compared with a number, like cart.size:>100.'])
  expect(faults('release:>1.0')).toEqual(["release can't be compared with >. Use release:value."])
})

test('side: names the field, and place: still works as its alias', () => {
  const keysOf = (text: string) =>
    parseSearch(text, languageOf(spanFields)).terms.map(term => term.kind === 'field' && term.key)
  expect(keysOf('side:server place:edge !PLACE:browser')).toEqual(['side', 'side', 'side'])
  expect(faults('place:nowhere')).toEqual(['"nowhere" is not a side. Use browser, edge or server.'])
})

test('suggestions list side, and not its alias', () => {
  expect(Object.keys(fieldTables.spans.fields)).toContain('side')
  expect(Object.keys(fieldTables.spans.fields)).not.toContain('place')
})

test('place stays a tag in the issue search', () => {
  const parsed = parseSearch('place:berlin')
  expect(parsed.terms).toMatchObject([{ key: 'place' }])
})
