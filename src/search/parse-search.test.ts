import { array, assert, boolean, constantFrom, letrec, oneof, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearch } from './parse-search.ts'
import { formatSearch, leavesOf, type SearchTerm, type UnplacedTerm } from './search-term.ts'

const terms = (text: string) => {
  const parsed = parseSearch(text)
  if (!parsed.ok) throw new Error(parsed.faults.map(fault => fault.message).join())
  return parsed.terms.map(bare)
}
function bare({ start: _start, end: _end, ...term }: SearchTerm): UnplacedTerm {
  return term.kind === 'group' ? { ...term, of: term.of.map(bare) } : term
}
const shape = (text: string): string => terms(text).map(draw).join(' ')
/** `every(a some(b !c))` */
function draw(term: UnplacedTerm): string {
  const sign = term.isNegated ? '!' : ''
  if (term.kind === 'group') return `${sign}${term.match}(${term.of.map(draw).join(' ')})`
  return sign + formatSearch([{ ...term, isNegated: false }])
}
const messages = (text: string) => {
  const parsed = parseSearch(text)
  return parsed.ok ? [] : parsed.faults.map(({ message }) => message)
}
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

  it('joins terms by AND and OR, and AND binds closer', () => {
    expect(shape('a b OR c AND d')).toBe('some(every(a b) every(c d))')
    expect(shape('a (b OR c) d')).toBe('a some(b c) d')
    expect(shape('is:new OR (is:resolved browser.name:Chrome)')).toBe(
      'some(is:new every(is:resolved browser.name:Chrome))',
    )
    expect(shape('!(a OR b) !(c)')).toBe('!some(a b) !c')
    expect(shape('((a)) !(!(b c))')).toBe('a b c')
    expect(shape('a OR (b OR c)')).toBe('some(a b c)')
    expect(shape('"OR" or android ORder')).toBe('"OR" or android ORder')
    expect(shape('(release:[1.0, "2 )"] OR !release:[3.0])')).toBe('some(release:[1.0,"2 )"] !release:3.0)')
  })

  it('keeps parentheses within a word', () => {
    expect(shape('now() message:f(x) "a (b"')).toBe('"now()" message:"f(x)" "a (b"')
    expect(shape('(message:f(x) OR y)')).toBe('some(message:"f(x)" y)')
    expect(shape("Cannot read properties of undefined (reading 'map')")).toBe(
      'Cannot read properties of undefined reading "\'map\'"',
    )
  })

  it('reports operators without a term and parentheses without a partner', () => {
    expect(faults('a OR')).toEqual(['OR'])
    expect(faults('AND a')).toEqual(['AND'])
    expect(faults('a OR OR b')).toEqual(['OR'])
    expect(faults('(a OR) b')).toEqual(['OR'])
    expect(faults('a (b OR c')).toEqual(['(b OR c'])
    expect(faults('a) b')).toEqual([')'])
    expect(faults('a ()')).toEqual(['()'])
    expect(faults('((((((((((a))))))))))')).toEqual([])
    expect(messages('(((((((((((a)))))))))))')).toEqual(['Parentheses can be at most 10 levels deep.'])
    expect(messages(`(${'a OR '.repeat(40)}a)`)).toEqual(['A search can have at most 40 terms.'])
    expect(messages(`plan:[${'a,'.repeat(201)}]`)).toEqual(['A search can have at most 200 values.'])
  })

  it('bounds what a count in an OR is combined with', () => {
    const tags = Array.from({ length: 9 }, (_, index) => `tag${index}:x`).join(' OR ')
    expect(messages(`timesSeen:>5 OR ${tags}`)[0]).toContain('at most 8 other terms')
    expect(messages(`timesSeen:>5 (${tags})`)).toEqual([])
  })

  it('reads the spellings of Sentry', () => {
    const same = (typed: string, meant: string) => expect(shape(typed)).toBe(meant)
    same('times_seen:>1k first_seen:-24h LAST_SEEN:-1h', 'timesSeen:>1k firstSeen:-24h lastSeen:-1h')
    same('is:ignored is:[muted,new]', 'is:archived is:[archived,new]')
    same('is:for_review', 'is:[new,regressed,escalating]')
    same('assigned_to:me assignee:none', 'assigned:me assigned:none')
    same('error.type:TypeError error.value:boom title:x', 'type:TypeError message:boom message:x')
    same('browser:Chrome os:Windows device.family:iPhone', 'browser.name:Chrome os.name:Windows device:iPhone')
    same('user:id:5 user:ada@example.com', 'user:id:5 user:ada@example.com')
    same('tags[plan]:gold tags[level]:7', 'plan:gold "tags[level]":7')
    same('has:browser !has:user', 'has:browser.name !has:user')
    same('error.unhandled:true timestamp:>2026-11-15', 'error.unhandled:true timestamp:>2026-11-15')
  })

  it('explains what Sentry has and Hydrant has not', () => {
    expect(messages('bookmarks:me')[0]).toBe(
      'There are no bookmarks. Use assigned:me, or save the search as a view. For a tag of this name write tags[bookmarks]:value.',
    )
    expect(messages('stack.filename:a.ts')[0]).toContain('Frames of the stack are not indexed.')
    expect(messages('tags[bookmarks]:me')).toEqual([])
    expect(messages('has:assigned')[0]).toBe('has takes a field of events. Use is:assigned or is:unassigned.')
    expect(messages('has:timesSeen')[0]).toContain('timesSeen is none')
    expect(messages('level:error,fatal')[0]).toContain('For several values write [error,fatal].')
    expect(messages('error.handled:maybe id:5 issue:x').length).toBe(3)
  })

  const seed = 20_261_117

  it('never throws, and every fault lies within the text', () => {
    const piece = constantFrom(
      ...[
        'is:',
        '"',
        '[',
        ']',
        '(',
        ')',
        '!(',
        ' OR ',
        ' AND ',
        '!',
        '*',
        '\\',
        ':',
        '>',
        ' ',
        'level:error',
        'tag',
        ',',
      ],
      '\u202e',
    )
    assert(
      property(array(piece, { maxLength: 30 }), string(), (pieces, rest) => {
        const text = pieces.join('') + rest
        const parsed = parseSearch(text)
        if (parsed.ok) return true
        return parsed.faults.every(({ start, end }) => start >= 0 && start <= end && end <= text.length)
      }),
      { numRuns: 1_000, seed },
    )
  })

  it('formats what it has read so that it reads the same again', () => {
    const piece = constantFrom(
      '(',
      ')',
      '!(',
      ' OR ',
      ' AND ',
      ' ',
      '!',
      'level:error',
      'a',
      'b:[c, "d e"]',
      '"f (g"',
      'h:*',
    )
    let valid = 0
    assert(
      property(array(piece, { maxLength: 25 }), pieces => {
        const text = pieces.join('')
        const parsed = parseSearch(text)
        if (!parsed.ok || leavesOf(parsed.terms).length === 0) return
        valid += 1
        expect(terms(formatSearch(parsed.terms))).toEqual(terms(text))
      }),
      { numRuns: 3_000, seed },
    )
    expect(valid).toBeGreaterThan(300)
  })

  it('formats any terms so that parsing gives the same terms', () => {
    const value = record({ parts: array(string({ maxLength: 8 }), { minLength: 1, maxLength: 3 }) })
    const field = record({
      kind: constantFrom('field' as const),
      key: string({ minLength: 1, maxLength: 8 }).map(key => `tag-${key}`),
      isNegated: boolean(),
      comparison: constantFrom('=' as const),
      values: array(value, { minLength: 1, maxLength: 3 }),
    })
    const text = record({ kind: constantFrom('text' as const), isNegated: boolean(), value })
    const { term } = letrec<{ term: UnplacedTerm; group: UnplacedTerm }>(tie => ({
      term: oneof({ maxDepth: 3, depthSize: 'small' }, field, text, tie('group')),
      group: record({
        kind: constantFrom('group' as const),
        match: constantFrom('every' as const, 'some' as const),
        isNegated: boolean(),
        of: array(tie('term'), { minLength: 2, maxLength: 3 }),
      }),
    }))
    assert(
      property(array(term, { maxLength: 4 }), generated => {
        const all = normal({ kind: 'group', match: 'every', isNegated: false, of: generated })
        if (formatSearch(all).length > 2_000 || countLeaves(all) > 40) return
        expect(terms(formatSearch(all))).toEqual(all)
      }),
      { numRuns: 500, seed },
    )
  })
})

/** The members of an AND, as the parser gives them: groups of the same kind are one. */
function normal(group: Extract<UnplacedTerm, { kind: 'group' }>): UnplacedTerm[] {
  return group.of
    .map(each => (each.kind === 'group' ? { ...each, of: normal(each) } : each))
    .flatMap(each => (each.kind === 'group' && each.match === group.match && !each.isNegated ? each.of : [each]))
}

const countLeaves = (all: readonly UnplacedTerm[]): number =>
  all.reduce((sum, term) => sum + (term.kind === 'group' ? countLeaves(term.of) : 1), 0)
