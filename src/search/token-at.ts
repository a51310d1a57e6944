import { type FieldTable, fieldKey } from './search-fields.ts'

/** The token at the caret: a key (or free text), or the value of a key. A suggestion replaces `start` to `end`. */
export type TokenAt =
  | { kind: 'key'; prefix: string; start: number; end: number }
  | { kind: 'value'; key: string; prefix: string; start: number; end: number }

/** Null where nothing can be suggested: inside quoted free text, or after a comparison. */
export function tokenAt(text: string, caret: number, table: FieldTable): TokenAt | null {
  const before = text.slice(0, caret)
  const token = /(?:^|\s)!?((?:[\w.-]+:)?(?:"[^"]*|[^\s"]*))$/.exec(before)?.[1]
  if (token === undefined) return null
  const start = caret - token.length
  const end = caret + (/^[^\s"]*/.exec(text.slice(caret))?.[0].length ?? 0)
  const match = /^([\w.-]+):(.*)$/s.exec(token)
  if (!match) return token.startsWith('"') ? null : { kind: 'key', prefix: token, start, end }
  const [, key = '', rest = ''] = match
  if (/^[<>]/.test(rest)) return null
  // Within a list, the user types the last entry.
  const value = rest.startsWith('[') ? rest.slice(Math.max(rest.lastIndexOf(','), 0) + 1) : rest
  return { kind: 'value', key: fieldKey(key, table), prefix: value.replace(/^"/, ''), start: caret - value.length, end }
}
