import type { IssueCursor } from '#queries/issue-list/issue-filter.ts'

/** `<asked at>:<sort keys>:<issue>`, which is all that the next page needs to know. */
export const writeIssueCursor = ({ to, keys, id }: IssueCursor): string => `${to}:${keys.join('.')}:${id}`

/** Null for anything else: then the list begins at its beginning. */
export function readIssueCursor(text: string | null): IssueCursor | null {
  const match = /^(\d{1,15}):(\d{1,16}(?:\.\d{1,16}){0,3}):(\d{1,16})$/.exec(text ?? '')
  if (!match) return null
  return { to: Number(match[1]), keys: (match[2] ?? '').split('.').map(Number), id: Number(match[3]) }
}
