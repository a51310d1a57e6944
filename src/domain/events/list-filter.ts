/** What the lists of traces, profiles and replays have in common: which rows, in which order, and where a page begins. */
import type { FieldTerm, SearchTerm } from '#search/search-term.ts'
import { joinAny } from './event-condition.ts'

export type ListFilter<Sort extends string, Cursor = KeyCursor> = {
  terms: readonly SearchTerm[]
  /** All of the viewer's projects by default. */
  projectIds?: readonly number[] | undefined
  environment?: string | undefined
  rangeMs: number
  /** The end of the range; now by default. */
  to?: number | undefined
  sort: Sort
  after?: Cursor | undefined
}

/** Where a page ended: the sort key of its last row, and its id. `to` is the end of the first page's time range; later pages keep it. */
export type KeyCursor = { to: number; key: number; id: string }

export const formatKeyCursor = ({ to, key, id }: KeyCursor): string => [to, key, id].join('-')

/** Of rows whose ids have so many hex digits. */
export function parseKeyCursor(text: string, digits: 16 | 32 = 32): KeyCursor | undefined {
  const match = /^(\d{1,15})-(\d{1,16})-([0-9a-f]+)$/.exec(text)
  const id = match?.[3] ?? ''
  return id.length === digits ? { to: Number(match?.[1]), key: Number(match?.[2]), id } : undefined
}

type Ranged = Pick<ListFilter<string, { to: number }>, 'rangeMs' | 'to' | 'after'>

/** In milliseconds. */
export function rangeOf(now: number, { rangeMs, to: end, after }: Ranged): { from: number; to: number } {
  const to = after?.to ?? end ?? now
  return { from: to - rangeMs, to }
}

/** `duration:>2s`: an expression beside a bound value. */
export const compared = (sql: string, { comparison, isNegated }: FieldTerm, bound: string): string =>
  joinAny([`(${sql} ${comparison} ${bound})`], isNegated)
