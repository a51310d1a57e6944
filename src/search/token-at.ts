import { type FieldTable, fieldKey } from './search-fields.ts'

/** The token at the caret: a key (or free text), or the value of a key. A suggestion replaces `start` to `end`. */
export type TokenAt =
  | { kind: 'key'; prefix: string; start: number; end: number }
  | { kind: 'value'; key: string; prefix: string; start: number; end: number; isInList?: true }

/** A term that begins after a space or parenthesis and reaches the caret: within an open quote or list it may contain spaces. */
const openTerm = /(?:^|[\s(])[!(]{0,20}((?:(?:tags\[[^\]\s"]{1,200}\]|[\w.-]+):)?(?:"[^"]*|\[[^\]]*|[^\s"[(]*))$/

/** Null where nothing can be suggested: inside quoted free text, or after a comparison. */
export function tokenAt(text: string, caret: number, table: FieldTable): TokenAt | null {
  const token = openTerm.exec(text.slice(0, caret))?.[1]
  if (token === undefined) return null
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
