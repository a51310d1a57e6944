import { LRUCache } from 'lru-cache'
import type { Viewer } from '#domain/access/viewer.ts'
import { withReadSignal } from '#lib/read-signal.ts'
import { type SharedRead, shareRead } from './share-read.ts'

type Entry = { at: number } & SharedRead<unknown>
const holderKey = Symbol.for('hydrant.query-cache')
const holder = globalThis as { [holderKey]?: WeakMap<object, LRUCache<string, Entry>> }
const maxEntries = 1_000
const maxSize = 300_000

type CacheOptions<Value> = {
  /** Identifies the query and everything it depends on, except what the viewer may read: the cache adds that itself. */
  name: readonly unknown[]
  ttlMs: number
  /** How long after `ttlMs` a stale value may be served while it is refreshed in the background; `ttlMs` by default. */
  staleMs?: number
  /** How much a large value takes of the room for all; 1 by default. */
  size?: (value: Value) => number
  /** A value that is not cacheable goes to everyone who already waits for it, and is then dropped. */
  isCacheable?: (value: Value) => boolean
}

/**
 * Caches a query, stale-while-revalidate: fresh values are returned as they are, stale ones while a refresh runs in the
 * background; anything older is awaited, and cancelled when its last waiter has left. On globalThis, because Next bundles several copies of this module.
 */
export function cacheQuery<Value>(
  viewer: Viewer,
  { name, ttlMs, staleMs = ttlMs, size = () => 1, isCacheable = () => true }: CacheOptions<Value>,
  load: () => Promise<Value>,
): Promise<Value> {
  holder[holderKey] ??= new WeakMap()
  const { store } = viewer.telemetry
  const entries =
    holder[holderKey].get(store) ?? new LRUCache<string, Entry>({ max: maxEntries, maxSize, sizeCalculation: () => 1 })
  holder[holderKey].set(store, entries)
  const key = JSON.stringify([viewer.scopeKey, ...name])
  const known = entries.get(key)
  // An entry of the future is one from before the clock was set back.
  const age = known ? Math.abs(viewer.now - known.at) : Number.POSITIVE_INFINITY
  if (known && age < ttlMs) {
    known.join()
    return known.value as Promise<Value>
  }
  const drop = (entry: Entry): void => {
    if (entries.get(key) === entry) entries.delete(key)
  }
  if (!known || age > ttlMs + staleMs) {
    const read = shareRead(load, () => drop(entry))
    const entry: Entry = { at: viewer.now, ...read }
    entries.set(key, entry)
    read.value.then(
      loaded => (isCacheable(loaded) ? entries.set(key, entry, { size: size(loaded) }) : drop(entry)),
      () => drop(entry),
    )
    entry.join()
    return read.value
  }
  known.at = viewer.now // so that only one caller refreshes
  // Not tied to a request: its result is for the next caller.
  const value = withReadSignal(undefined, load)
  value.then(
    loaded => entries.set(key, { at: viewer.now, value, join: () => undefined }, { size: size(loaded) }),
    () => drop(known),
  )
  return known.value as Promise<Value>
}

const settledMs = 5 * 60_000
const ttlMs = 60_000
const pageMs = 1_000

/** `name` identifies what is read; `at` is when it happened, in milliseconds. */
type PastFact = { name: string[]; at: number }

/**
 * For data that stops changing, such as the errors of a trace: all of it arrives within moments. Five minutes after `at` it is
 * cached for a minute; before that only for a second, so that the parts of one page share a query.
 */
export function cacheSettled<Value>(
  viewer: Viewer,
  { name, at }: PastFact,
  load: () => Promise<Value>,
): Promise<Value> {
  const isSettled = viewer.now - at > settledMs
  return cacheQuery(viewer, { name: [...name, at], ...(isSettled ? { ttlMs } : { ttlMs: pageMs, staleMs: 0 }) }, load)
}
