import type { IssueCursor, IssueSort } from '#queries/issue-list/issue-filter.ts'

/** `<asked at>:<sort keys>:<issue>`, which is all that the next page needs to know. */
export const writeIssueCursor = ({ to, keys, id }: IssueCursor): string => `${to}:${keys.join('.')}:${id}`

/** Null for anything else, and for a cursor of another sort: then the list begins at its beginning. */
export function readIssueCursor(text: string | null, sort: IssueSort): IssueCursor | null {
  const match = /^(\d{1,15}):(\d{1,16}(?:\.\d{1,16}){0,3}):(\d{1,16})$/.exec(text ?? '')
  if (!match) return null
  const keys = (match[2] ?? '').split('.').map(Number)
  return keys.length === keyCount(sort) ? { to: Number(match[1]), keys, id: Number(match[3]) } : null
}

/** Urgency sorts by rank and then by events. */
const keyCount = (sort: IssueSort): number => (sort === 'urgency' ? 2 : 1)
