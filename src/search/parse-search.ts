/**
 * The search language of lists: `is:unresolved !browser.name:Chrome timesSeen:>100 route:"/items/[id]" "free text"`.
 * Terms are joined by AND. Never throws: any text gives terms, or faults with their position in the text.
 */
import { issueLanguage, type SearchLanguage } from './search-language.ts'
import type { Comparison, FieldTerm, ParsedSearch, SearchFault, SearchTerm, SearchValue } from './search-term.ts'

const maxLength = 2_000 // proxies accept URLs of about 8 KB, and escaping can triple each character
const maxTerms = 40 // each becomes a condition in the query

type Step = { term: SearchTerm; fault?: SearchFault | undefined }

export function parseSearch(text: string, language: SearchLanguage = issueLanguage): ParsedSearch {
  if (text.length > maxLength)
    return {
      ok: false,
      terms: [],
      faults: [{ start: maxLength, end: text.length, message: `A search can have at most ${maxLength} characters.` }],
    }
  const terms: SearchTerm[] = []
  const faults: SearchFault[] = []
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const { term, fault } = readTerm(text, at, language)
    if (fault) faults.push(fault)
    terms.push(term)
    at = skipSpace(text, term.end)
  }
  const tooMany = terms[maxTerms]
  if (tooMany)
    faults.push({ start: tooMany.start, end: text.length, message: `A search can have at most ${maxTerms} terms.` })
  return faults.length > 0 ? { ok: false, faults, terms } : { ok: true, terms }
}

function readTerm(text: string, start: number, language: SearchLanguage): Step {
  const isNegated = text[start] === '!' && /\S/.test(text[start + 1] ?? '')
  const from = isNegated ? start + 1 : start
  const key = readKey(text, from, language)
  if (key) return readField(text, { start, isNegated, ...key }, language)
  const { value, end, fault } = readValue(text, from, /\s/)
  return { term: { kind: 'text', isNegated, value, start, end }, fault }
}

/** `key:` or `"any key":`. */
function readKey(text: string, from: number, language: SearchLanguage): { key: string; end: number } | null {
  if (text[from] === '"') {
    const { value, end, fault } = readQuoted(text, from)
    const [key = ''] = value.parts
    return !fault && value.parts.length === 1 && key !== '' && text[end] === ':'
      ? { key: language.keyOf(key), end: end + 1 }
      : null
  }
  const match = language.key.exec(text.slice(from, from + maxLength))
  return match ? { key: language.keyOf(match[0].slice(0, -1)), end: from + match[0].length } : null
}

type Head = { start: number; isNegated: boolean; key: string; end: number }

function readField(text: string, { start, isNegated, key, end: colon }: Head, language: SearchLanguage): Step {
  const comparison = (/^[<>]=?/.exec(text.slice(colon, colon + 2))?.[0] ?? '=') as Comparison
  const from = comparison === '=' ? colon : colon + comparison.length
  const { values, end, fault } = text[from] === '[' ? readList(text, from) : asList(readValue(text, from, /\s/), from)
  const term: FieldTerm = { kind: 'field', key, isNegated, comparison, values, start, end }
  const message = fault ? null : language.check(term)
  return { term, fault: fault ?? (message ? { start, end, message } : undefined) }
}

/** `key:` alone has no value; `key:""` has the empty one. */
function asList({ value, end, fault }: Reading, from: number) {
  return { values: end === from ? [] : [value], end, ...(fault ? { fault } : {}) }
}

/** A value read from the text; `end` is where the reader stopped. */
type Reading = { value: SearchValue; end: number; fault?: SearchFault }

const escapable = new Set(['"', '\\', '*'])

function readValue(text: string, start: number, stop: RegExp): Reading {
  return text[start] === '"' ? readQuoted(text, start) : readBare(text, start, stop)
}

function readQuoted(text: string, start: number): Reading {
  const collect = collector()
  for (let at = start + 1; at < text.length; ) {
    if (text[at] === '"') return { value: collect.value(), end: at + 1 }
    at = collect.take(text, at)
  }
  const fault = { start, end: text.length, message: 'The closing quote is missing. Add " at the end.' }
  return { value: collect.value(), end: text.length, fault }
}

function readBare(text: string, start: number, stop: RegExp): Reading {
  const collect = collector()
  let at = start
  while (at < text.length && !stop.test(text[at] ?? '')) at = collect.take(text, at)
  return { value: collect.value(), end: Math.min(at, text.length) }
}

/** A backslash that escapes nothing is kept, so that Windows paths survive. */
function collector() {
  const parts = ['']
  return {
    take(text: string, at: number): number {
      const char = text[at] ?? ''
      const next = text[at + 1] ?? ''
      if (char === '*') {
        parts.push('')
        return at + 1
      }
      const isEscape = char === '\\' && escapable.has(next)
      parts[parts.length - 1] += isEscape ? next : char
      return at + (isEscape ? 2 : 1)
    },
    value: (): SearchValue => ({ parts }),
  }
}

/** `[a, "b c", d]`, starting at its bracket. */
function readList(text: string, start: number): { values: SearchValue[]; end: number; fault?: SearchFault } {
  const values: SearchValue[] = []
  let at = start + 1
  while (at < text.length) {
    at = skipSpace(text, at)
    if (text[at] === ']') return { values, end: at + 1 }
    if (text[at] === ',') {
      at += 1
      continue
    }
    if (at >= text.length) break
    const { value, end, fault } = readValue(text, at, /[,\]]/)
    if (fault) return { values, end, fault }
    values.push(text[at] === '"' ? value : trimEnd(value))
    at = end
  }
  const fault = { start, end: text.length, message: 'The closing bracket is missing. Add ] at the end.' }
  return { values, end: text.length, fault }
}

function skipSpace(text: string, at: number): number {
  let next = at
  while (next < text.length && /\s/.test(text[next] ?? '')) next += 1
  return next
}

function trimEnd({ parts }: SearchValue): SearchValue {
  return { parts: parts.map((part, index) => (index === parts.length - 1 ? part.trimEnd() : part)) }
}
