import { LRUCache } from 'lru-cache'
import { projectIds, type Viewer } from '#domain/access/viewer.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

type Entry = { at: number; value: Promise<unknown> }
const holderKey = Symbol.for('hydrant.remembered')
const holder = globalThis as { [holderKey]?: WeakMap<Telemetry, LRUCache<string, Entry>> }
const maxEntries = 1_000

type Memory<Value> = {
  /** Names the question and all it depends on, the viewer's scope first. */
  key: string
  freshMs: number
  /** For how long after that an old answer will do while it is read anew; as long again unless said. */
  staleMs?: number
  /** What is not kept serves those who wait for it. */
  isKept?: (value: Value) => boolean
}

/**
 * For answers that change slowly and stand on every page. The first to ask waits; later ones get what is known, and when it is
 * no longer fresh it is asked again behind their backs; what is older still is waited for. On globalThis, because Next has several copies of this module.
 */
export function cacheQuery<Value>(
  viewer: Viewer,
  { key, freshMs, staleMs = freshMs, isKept = () => true }: Memory<Value>,
  ask: () => Promise<Value>,
): Promise<Value> {
  holder[holderKey] ??= new WeakMap()
  const entries = holder[holderKey].get(viewer.telemetry) ?? new LRUCache<string, Entry>({ max: maxEntries })
  holder[holderKey].set(viewer.telemetry, entries)
  const known = entries.get(key)
  const age = known ? viewer.now - known.at : Number.POSITIVE_INFINITY
  if (known && age < freshMs) return known.value as Promise<Value>
  const value = ask()
  if (!known || age > freshMs + staleMs) {
    entries.set(key, { at: viewer.now, value })
    value.then(
      answer => isKept(answer) || entries.delete(key),
      () => entries.delete(key),
    )
    return value
  }
  known.at = viewer.now // one asks, the others go on with what there is
  value.then(
    () => entries.set(key, { at: viewer.now, value }),
    () => entries.delete(key),
  )
  return known.value as Promise<Value>
}

const settledMs = 5 * 60_000
const freshMs = 60_000
const pageMs = 1_000

/** `at` in milliseconds; `of` names what happened then. */
type Happening = { of: string[]; at: number }

/**
 * What telemetry says of something that happened, such as the errors of a trace. All of it comes within moments: minutes later
 * the answer is remembered. Until then it is asked anew for each page, and once for all parts of one.
 */
export function cacheSettled<Value>(viewer: Viewer, { of, at }: Happening, ask: () => Promise<Value>): Promise<Value> {
  const key = JSON.stringify([...of, at, projectIds(viewer)])
  const isSettled = viewer.now - at > settledMs
  return cacheQuery(viewer, { key, ...(isSettled ? { freshMs } : { freshMs: pageMs, staleMs: 0 }) }, ask)
}
