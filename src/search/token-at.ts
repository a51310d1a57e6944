import { type FieldTable, fieldKey } from './search-fields.ts'

/** The token at the caret: a key (or free text), or the value of a key. A suggestion replaces `start` to `end`. */
export type TokenAt =
  | { kind: 'key'; prefix: string; start: number; end: number }
  | { kind: 'value'; key: string; prefix: string; start: number; end: number; isInList?: true }

/** The term that reaches the end of the text: within an open quote or list it may contain spaces. */
function lastTerm(text: string): string {
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    const end = char === '"' || (char === '[' && text[at - 1] === ':') ? closingOf(text, at) : at
    if (end < 0) return text.slice(start)
    at = end
    if (/[\s()]/.test(char) || (char === '!' && at === start)) start = at + 1
  }
  return text.slice(start)
}

/** Where a quote or list that opens here is closed; -1 if it is not. */
function closingOf(text: string, open: number): number {
  const isList = text[open] === '['
  for (let at = open + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at += 1
    else if (char === (isList ? ']' : '"')) return at
    else if (isList && char === '"') {
      const end = text.indexOf('"', at + 1)
      if (end < 0) return -1
      at = end
    }
  }
  return -1
}

/** Null where nothing can be suggested: inside quoted free text, or after a comparison. */
export function tokenAt(text: string, caret: number, table: FieldTable): TokenAt | null {
  const token = lastTerm(text.slice(0, caret))
  const match = /^(tags\[[^\]\s"]{1,200}\]|[\w.-]+):(.*)$/s.exec(token)
  const isInList = match?.[2]?.startsWith('[') ?? false
  const after = text.slice(caret)
  const end = caret + ((isInList ? /^[^\s"(),\]]*/ : /^[^\s"()]*/).exec(after)?.[0].length ?? 0)
  if (!match) return /^["[]/.test(token) ? null : { kind: 'key', prefix: token, start: caret - token.length, end }
  const [, typed = '', rest = ''] = match
  if (/^[<>]/.test(rest)) return null
  const key = fieldKey(typed, table)
  if (!isInList) return { kind: 'value', key, prefix: rest.replace(/^"/, ''), start: caret - rest.length, end }
  // Within a list, the user types the last entry.
  const entry = rest.slice(Math.max(rest.lastIndexOf(','), 0) + 1).trimStart()
  return { kind: 'value', key, prefix: entry.replace(/^"/, ''), start: caret - entry.length, end, isInList }
}
