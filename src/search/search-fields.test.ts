import { expect, test } from 'vitest'
import { parseSearch } from './parse-search.ts'
import { spanFields } from './search-fields.ts'
import { languageOf } from './search-language.ts'

const faults = (text: string) => {
  const parsed = parseSearch(text, languageOf(spanFields))
  return parsed.ok ? [] : parsed.faults.map(({ message }) => message)
}

test('spans are searched by duration, status, place and any attribute, as text or as a number', () => {
  const text =
    'is:segment route:"/items/[id]" duration:>500ms status:error place:[browser,edge] user.id:u1 cart.size:>=12.5 plan:gold'
  expect(faults(text)).toEqual([])
})

test('what cannot be asked of spans is explained', () => {
  expect(faults('is:unresolved')).toEqual(['is knows segment and prefetch.'])
  expect(faults('duration:>fast')).toEqual(['duration takes a time, like duration:>500ms or duration:<2s.'])
  expect(faults('cart.size:>many')).toEqual(['cart.size is compared with a number, like cart.size:>100.'])
  expect(faults('release:>1.0')).toEqual(['release has no order, so > means nothing here. Leave it out.'])
})
