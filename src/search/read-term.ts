/** Reads one term of a search: `!key:>value`, `key:[a, "b c"]`, `"any key":value` or free text. Never throws. */
import type { SearchLanguage } from './search-language.ts'
import type { Comparison, FieldTerm, SearchFault, SearchValue, TextTerm } from './search-term.ts'

type Step = { term: TextTerm | FieldTerm; fault?: SearchFault | undefined }

const longestKey = 410 // a tag name of 200 characters, and a little around it

export function readTerm(text: string, start: number, language: SearchLanguage): Step {
  const isNegated = text[start] === '!' && /[^\s)]/.test(text[start + 1] ?? '')
  const from = isNegated ? start + 1 : start
  const key = readKey(text, from, language)
  if (key) return readField(text, { start, isNegated, ...key }, language)
  const { value, end, fault } = readValue(text, from, isWordEnd())
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
  const match = language.key.exec(text.slice(from, from + longestKey))
  return match ? { key: language.keyOf(match[0].slice(0, -1)), end: from + match[0].length } : null
}

type Head = { start: number; isNegated: boolean; key: string; end: number }

function readField(text: string, { start, isNegated, key, end: colon }: Head, language: SearchLanguage): Step {
  const comparison = (/^[<>]=?/.exec(text.slice(colon, colon + 2))?.[0] ?? '=') as Comparison
  const from = comparison === '=' ? colon : colon + comparison.length
  const { values, end, fault } =
    text[from] === '[' ? readList(text, from) : asList(readValue(text, from, isWordEnd()), from)
  const typed: FieldTerm = { kind: 'field', key, isNegated, comparison, values, start, end }
  const term = language.resolve?.(typed) ?? typed
  const message = fault ? null : language.check(term)
  return { term, fault: fault ?? (message ? { start, end, message } : undefined) }
}

/** `key:` alone has no value; `key:""` has the empty one. */
function asList({ value, end, fault }: Reading, from: number) {
  return { values: end === from ? [] : [value], end, ...(fault ? { fault } : {}) }
}

/** A value read from the text; `end` is where the reader stopped. */
type Reading = { value: SearchValue; end: number; fault?: SearchFault }
type IsEnd = (char: string) => boolean

const escapable = new Set(['"', '\\', '*'])

function readValue(text: string, start: number, isEnd: IsEnd): Reading {
  return text[start] === '"' ? readQuoted(text, start) : readBare(text, start, isEnd)
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

function readBare(text: string, start: number, isEnd: IsEnd): Reading {
  const collect = collector()
  let at = start
  while (at < text.length && !isEnd(text[at] ?? '')) at = collect.take(text, at)
  return { value: collect.value(), end: Math.min(at, text.length) }
}

/** Parentheses that open within a word belong to it, like those of `now()`; one that closes more ends the word. */
function isWordEnd(): IsEnd {
  let open = 0
  return char => {
    if (char === '(') open += 1
    if (char === ')') open -= 1
    return open < 0 || /\s/.test(char)
  }
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

const isEntryEnd: IsEnd = char => char === ',' || char === ']'

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
    const { value, end, fault } = readValue(text, at, isEntryEnd)
    if (fault) return { values, end, fault }
    values.push(text[at] === '"' ? value : trimEnd(value))
    at = end
  }
  const fault = { start, end: text.length, message: 'The closing bracket is missing. Add ] at the end.' }
  return { values, end: text.length, fault }
}

export function skipSpace(text: string, at: number): number {
  let next = at
  while (next < text.length && /\s/.test(text[next] ?? '')) next += 1
  return next
}

function trimEnd({ parts }: SearchValue): SearchValue {
  return { parts: parts.map((part, index) => (index === parts.length - 1 ? part.trimEnd() : part)) }
}
