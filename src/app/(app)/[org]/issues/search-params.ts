import { type IssueCursor, type IssueSort, issueSorts } from '#queries/issue-list/issue-filter.ts'
import { createParamsReader, keptListParams, type ListParams } from '../list-params.ts'

export const sorts: Record<IssueSort, string> = {
  urgency: 'urgency',
  lastSeen: 'last seen',
  firstSeen: 'first seen',
  events: 'events',
  users: 'users',
}

/** What the address says about the list. */
export type IssueParams = ListParams<IssueSort, IssueCursor>

export const defaultQuery = 'is:unresolved'
const [plainSort] = issueSorts

export const readIssueParams = createParamsReader({ defaultQuery, sorts: issueSorts, parseCursor })

/** Only what differs from the plain list is in its address. Another question starts at its first page. */
export function issuesHref(organizationSlug: string, known: IssueParams, change: Partial<IssueParams> = {}): string {
  const next = { ...known, after: undefined, ...change }
  const search = new URLSearchParams({
    ...(next.q === defaultQuery ? {} : { q: next.q }),
    ...keptListParams(next, plainSort),
    ...(next.after ? { after: formatCursor(next.after) } : {}),
  })
  return `/${organizationSlug}/issues${search.size > 0 ? `?${search}` : ''}`
}

function formatCursor({ to, keys, id }: IssueCursor): string {
  return [to, ...keys, id].join('-')
}

function parseCursor(text: string): IssueCursor | undefined {
  if (!/^\d{1,15}(-\d{1,15}){2,3}$/.test(text)) return undefined
  const [to = 0, ...rest] = text.split('-').map(Number)
  return { to, keys: rest.slice(0, -1), id: rest.at(-1) ?? 0 }
}
