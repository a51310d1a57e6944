/**
 * The search language of lists: `is:unresolved (browser.name:Chrome OR !release:[1.0,1.1]) timesSeen:>100 "free text"`.
 * AND binds tighter than OR and is optional. Never throws: any text returns terms, or faults with their position in the text.
 */
import { readTerm, skipSpace } from './read-term.ts'
import { issueLanguage, type SearchLanguage } from './search-language.ts'
import { leavesOf, type ParsedSearch, type SearchFault, type SearchTerm } from './search-term.ts'

const maxLength = 2_000 // proxies accept URLs of about 8 KB, and escaping can triple each character
const maxTerms = 40 // each becomes a condition in the query
const maxValues = 200 // so does each value of a list
const maxDepth = 10

export function parseSearch(text: string, language: SearchLanguage = issueLanguage): ParsedSearch {
  if (text.length > maxLength)
    return {
      ok: false,
      terms: [],
      faults: [{ start: maxLength, end: text.length, message: `A search can have at most ${maxLength} characters.` }],
    }
  const reader: Reader = { text, language, at: 0, faults: [] }
  const terms = membersOf(readAlternatives(reader, 0))
  const faults = [...reader.faults, ...countFaults(terms, text)]
  const message = faults.length === 0 ? language.checkAll?.(terms) : null
  if (message) faults.push({ start: 0, end: text.length, message })
  return faults.length > 0 ? { ok: false, faults, terms } : { ok: true, terms }
}

type Reader = { text: string; language: SearchLanguage; at: number; faults: SearchFault[] }

/** Reads up to the end of the text or the parenthesis that closes this level. Returns one term, or null if it found no terms. */
function readAlternatives(reader: Reader, depth: number): SearchTerm | null {
  const { text } = reader
  const alternatives: SearchTerm[][] = [[]]
  /** An operator that still needs a term after it. */
  let open: SearchFault | null = null
  for (reader.at = skipSpace(text, reader.at); reader.at < text.length; reader.at = skipSpace(text, reader.at)) {
    const start = reader.at
    const current = alternatives.at(-1) ?? []
    if (text[start] === ')') {
      if (depth > 0) break
      reader.at += 1
      reader.faults.push({ start, end: start + 1, message: 'This parenthesis closes nothing. Put it in quotes.' })
      continue
    }
    const operator = /^(?:AND|OR)(?=[\s()]|$)/.exec(text.slice(start, start + 4))?.[0]
    if (operator) {
      reader.at += operator.length
      const fault = { start, end: reader.at, message: `${operator} needs a term on each side.` }
      if (open || current.length === 0) reader.faults.push(fault)
      open = fault
      if (operator === 'OR') alternatives.push([])
      continue
    }
    const term = /^!?\(/.test(text.slice(start, start + 2)) ? readGroup(reader, depth) : readLeaf(reader)
    if (term) current.push(term)
    open = null
  }
  if (open && !reader.faults.includes(open)) reader.faults.push(open)
  return join(
    'some',
    alternatives.flatMap(all => join('every', all) ?? []),
  )
}

function readLeaf(reader: Reader): SearchTerm {
  const { term, fault } = readTerm(reader.text, reader.at, reader.language)
  if (fault) reader.faults.push(fault)
  reader.at = term.end
  return term
}

/** `(…)` or `!(…)`. */
function readGroup(reader: Reader, depth: number): SearchTerm | null {
  const { text, faults } = reader
  const start = reader.at
  const isNegated = text[start] === '!'
  reader.at += isNegated ? 2 : 1
  if (depth >= maxDepth) {
    faults.push({ start, end: text.length, message: `Parentheses can be at most ${maxDepth} levels deep.` })
    reader.at = text.length
    return null
  }
  const inner = readAlternatives(reader, depth + 1)
  if (text[reader.at] !== ')') {
    if (!faults.some(fault => fault.end === text.length))
      faults.push({ start, end: text.length, message: 'The closing parenthesis is missing. Add ) at the end.' })
    return inner
  }
  reader.at += 1
  const end = reader.at
  if (!inner && !faults.some(fault => fault.start > start))
    faults.push({ start, end, message: 'Put a term between the parentheses, or put them in quotes.' })
  if (!inner) return null
  const place = inner.kind === 'group' ? { start, end } : {}
  return { ...inner, ...place, isNegated: inner.isNegated !== isNegated }
}

/** One form of each meaning: no group with a single member, and none within a group of its kind. */
function join(match: 'every' | 'some', terms: readonly SearchTerm[]): SearchTerm | null {
  const [first] = terms
  if (!first || terms.length === 1) return first ?? null
  const of = terms.flatMap(term =>
    term.kind === 'group' && term.match === match && !term.isNegated ? term.of : [term],
  )
  return { kind: 'group', match, isNegated: false, of, start: first.start, end: terms.at(-1)?.end ?? first.end }
}

function membersOf(term: SearchTerm | null): SearchTerm[] {
  if (!term) return []
  return term.kind === 'group' && term.match === 'every' && !term.isNegated ? term.of : [term]
}

function countFaults(terms: readonly SearchTerm[], text: string): SearchFault[] {
  const leaves = leavesOf(terms)
  const tooMany = leaves[maxTerms]
  const values = leaves.reduce((sum, leaf) => sum + (leaf.kind === 'field' ? leaf.values.length : 1), 0)
  return [
    ...(tooMany
      ? [{ start: tooMany.start, end: text.length, message: `A search can have at most ${maxTerms} terms.` }]
      : []),
    ...(values > maxValues
      ? [{ start: 0, end: text.length, message: `A search can have at most ${maxValues} values.` }]
      : []),
  ]
}
