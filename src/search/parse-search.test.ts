import { array, assert, boolean, constantFrom, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearch } from './parse-search.ts'
import type { SearchTerm } from './search-term.ts'
import { formatSearch } from './search-term.ts'

const terms = (text: string) => {
  const parsed = parseSearch(text)
  if (!parsed.ok) throw new Error(parsed.faults.map(fault => fault.message).join())
  return parsed.terms.map(bare)
}
const bare = ({ start: _start, end: _end, ...term }: SearchTerm) => term
const faults = (text: string) => {
  const parsed = parseSearch(text)
  return parsed.ok ? [] : parsed.faults.map(({ start, end }) => text.slice(start, end))
}

describe('the search language', () => {
  it('parses the example from the documentation', () => {
    const text =
      'is:unresolved assigned:me level:error release:1.2.* browser.name:Chrome !user.email:x@y.z has:replay route:"/items/[id]" timesSeen:>100 firstSeen:-24h "free text"'
    const read = terms(text)
    expect(read.length).toBe(11)
    expect(read[3]).toEqual({
      kind: 'field',
      key: 'release',
      isNegated: false,
      comparison: '=',
      values: [{ parts: ['1.2.', ''] }],
    })
    expect(read[5]).toMatchObject({ key: 'user.email', isNegated: true })
    expect(read[7]).toMatchObject({ key: 'route', values: [{ parts: ['/items/[id]'] }] })
    expect(read[8]).toMatchObject({ key: 'timesSeen', comparison: '>', values: [{ parts: ['100'] }] })
    expect(read[10]).toEqual({ kind: 'text', isNegated: false, value: { parts: ['free text'] } })
  })

  it('parses lists, escapes, any tag and keys with spaces', () => {
    expect(terms('level:[error, fatal]')[0]).toMatchObject({ values: [{ parts: ['error'] }, { parts: ['fatal'] }] })
    expect(terms('"my tag":"a \\"b\\" \\* c"')[0]).toMatchObject({ key: 'my tag', values: [{ parts: ['a "b" * c'] }] })
    expect(terms('TIMESSEEN:5')[0]).toMatchObject({ key: 'timesSeen' })
    expect(terms('C:\\dir')[0]).toMatchObject({ key: 'C', values: [{ parts: ['\\dir'] }] })
  })

  it('treats a pasted URL as free text', () => {
    expect(terms('https://shop.example/items?id=1')[0]).toMatchObject({ kind: 'text' })
  })

  it('reports the range of every invalid term', () => {
    expect(faults('level:error is:broken x')).toEqual(['is:broken'])
    expect(faults('timesSeen:>many')).toEqual(['timesSeen:>many'])
    expect(faults('release:>1.2')).toEqual(['release:>1.2'])
    expect(faults('level:')).toEqual(['level:'])
    expect(faults('route:"/items')).toEqual(['"/items'])
    expect(faults('level:[error, fatal')).toEqual(['[error, fatal'])
    expect(faults('firstSeen:yesterday assigned:somebody')).toEqual(['firstSeen:yesterday', 'assigned:somebody'])
    expect(faults('x'.repeat(2_001)).length).toBe(1)
    expect(faults('a '.repeat(41)).length).toBe(1)
  })

  it('never throws, and every fault lies within the text', () => {
    const piece = constantFrom('is:', '"', '[', ']', '!', '*', '\\', ':', '>', ' ', 'level:error', 'tag', ',', '\u202e')
    assert(
      property(array(piece, { maxLength: 30 }), string(), (pieces, rest) => {
        const text = pieces.join('') + rest
        const parsed = parseSearch(text)
        if (parsed.ok) return true
        return parsed.faults.every(({ start, end }) => start >= 0 && start <= end && end <= text.length)
      }),
      { numRuns: 500 },
    )
  })

  it('formats terms so that parsing gives the same terms', () => {
    const value = record({ parts: array(string({ maxLength: 8 }), { minLength: 1, maxLength: 3 }) })
    const field = record({
      kind: constantFrom('field' as const),
      key: string({ minLength: 1, maxLength: 8 }).map(key => `tag-${key}`),
      isNegated: boolean(),
      comparison: constantFrom('=' as const),
      values: array(value, { minLength: 1, maxLength: 3 }),
    })
    const text = record({ kind: constantFrom('text' as const), isNegated: boolean(), value })
    assert(
      property(array(field, { maxLength: 5 }), array(text, { maxLength: 3 }), (fields, texts) => {
        const all = [...fields, ...texts]
        expect(terms(formatSearch(all))).toEqual(all)
      }),
      { numRuns: 300 },
    )
  })
})
