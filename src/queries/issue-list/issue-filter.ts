import type { SearchTerm } from '#search/search-term.ts'
import type { RangeCounts } from './range-counts.ts'

export const issueSorts = ['urgency', 'lastSeen', 'firstSeen', 'events', 'users'] as const
export type IssueSort = (typeof issueSorts)[number]

/** How many keys a page of each sort ends with. */
export const sortKeyCount: Readonly<Record<IssueSort, number>> = {
  urgency: 2,
  lastSeen: 1,
  firstSeen: 1,
  events: 1,
  users: 1,
}

/**
 * Where a page ended: the next one starts after these sort keys, whatever has arrived in between. `to` is the moment the
 * first page was asked for; later pages look at the same stretch of time.
 */
export type IssueCursor = { to: number; keys: number[]; id: number }

export type IssueFilter = {
  terms: readonly SearchTerm[]
  /** None means all of the viewer's. */
  projectIds?: readonly number[] | undefined
  environment?: string | undefined
  rangeMs: number
  /** Where the range ends; now unless said. */
  to?: number | undefined
  sort: IssueSort
  after?: IssueCursor | undefined
  /** Issues a page; a screenful unless said. */
  limit?: number | undefined
}

/** The stretch of time and the projects of one question, made once for all its parts. */
export type IssueScope = { projectIds: number[]; from: number; to: number }

/** One hit of a page, before its row is read: the id, what it was sorted by. */
export type IssueHit = { id: number; keys: number[] }
export type IssueHits = {
  hits: IssueHit[]
  total: number | null
  /** By issue, where whoever found them has counted them too. */
  counts?: Map<number, RangeCounts>
}
