import { projectIds } from './project-ids.ts'
import { remember } from './remember.ts'
import type { Viewer } from './viewer.ts'

const settledMs = 5 * 60_000
const freshMs = 60_000
const pageMs = 1_000

/** `at` in milliseconds; `of` names what happened then. */
type Happening = { of: string[]; at: number }

/**
 * What telemetry says of something that happened, such as the errors of a trace. All of it comes within moments: minutes later
 * the answer is remembered. Until then it is asked anew for each page, and once for all parts of one.
 */
export function rememberSettled<Value>(
  viewer: Viewer,
  { of, at }: Happening,
  ask: () => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify([...of, at, projectIds(viewer)])
  const isSettled = viewer.now - at > settledMs
  return remember(viewer, { key, ...(isSettled ? { freshMs } : { freshMs: pageMs, staleMs: 0 }) }, ask)
}
