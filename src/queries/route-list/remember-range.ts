import { projectIds } from '../project-ids.ts'
import { remember } from '../remember.ts'
import type { Viewer } from '../viewer.ts'
import type { RouteFilter } from './route-filter.ts'

const longestMs = 60_000
/** Of the range: in a month's sums nobody sees a minute, in those of an hour a second. */
const unseenShare = 1 / 3_000
/** Counted views, requests or errors. Of fewer, each one more is seen. */
const many = 10_000

type Sums<Value> = { of: string[]; count: (value: Value) => number }

/** Sums over a stretch of time, read anew when a part of it has passed that could be seen in them. */
export function rememberRange<Value>(
  viewer: Viewer,
  filter: RouteFilter,
  { of, count }: Sums<Value>,
  ask: () => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify([...of, filter, projectIds(viewer)])
  const freshMs = Math.min(longestMs, filter.rangeMs * unseenShare)
  return remember(viewer, { key, freshMs, isKept: value => count(value) >= many }, ask)
}
