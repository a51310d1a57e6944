import type { SearchFault, SearchValue } from './search-term.ts'

/** Reads values out of the typed text from a position on. Every reader gives where it stopped. */
export type Reading = { value: SearchValue; end: number; fault?: SearchFault }

const escapable = new Set(['"', '\\', '*'])

export function readValue(text: string, start: number, stop: RegExp): Reading {
  return text[start] === '"' ? readQuoted(text, start) : readBare(text, start, stop)
}

export function readQuoted(text: string, start: number): Reading {
  const collect = collector()
  for (let at = start + 1; at < text.length; ) {
    if (text[at] === '"') return { value: collect.value(), end: at + 1 }
    at = collect.take(text, at)
  }
  const fault = { start, end: text.length, message: 'This quote is never closed. Add " at its end.' }
  return { value: collect.value(), end: text.length, fault }
}

function readBare(text: string, start: number, stop: RegExp): Reading {
  const collect = collector()
  let at = start
  while (at < text.length && !stop.test(text[at] ?? '')) at = collect.take(text, at)
  return { value: collect.value(), end: Math.min(at, text.length) }
}

/** A backslash that escapes nothing is a backslash: Windows paths stay what they are. */
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

/** `[a, "b c", d]`, from its bracket on. */
export function readList(text: string, start: number): { values: SearchValue[]; end: number; fault?: SearchFault } {
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
  const fault = { start, end: text.length, message: 'This list is never closed. Add ] at its end.' }
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
