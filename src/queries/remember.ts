import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { Viewer } from './viewer.ts'

type Entry = { at: number; value: Promise<unknown> }
const holderKey = Symbol.for('hydrant.remembered')
const holder = globalThis as { [holderKey]?: WeakMap<Telemetry, Map<string, Entry>> }
const maxEntries = 1_000

/**
 * For answers that change slowly and stand on every page. The first to ask waits; later ones get what is known, and when it is
 * older than `freshMs` it is asked again behind their backs. `key` names the question and all it depends on, the viewer's scope
 * first. On globalThis, because Next has several copies of this module.
 */
export function remember<Value>(
  viewer: Viewer,
  { key, freshMs }: { key: string; freshMs: number },
  ask: () => Promise<Value>,
): Promise<Value> {
  holder[holderKey] ??= new WeakMap()
  const entries = holder[holderKey].get(viewer.telemetry) ?? new Map<string, Entry>()
  holder[holderKey].set(viewer.telemetry, entries)
  const known = entries.get(key)
  if (known && viewer.now - known.at < freshMs) return known.value as Promise<Value>
  if (entries.size >= maxEntries) entries.clear()
  const value = ask()
  if (!known) {
    entries.set(key, { at: viewer.now, value })
    value.catch(() => entries.delete(key))
    return value
  }
  known.at = viewer.now // one asks, the others go on with what there is
  value.then(
    () => entries.set(key, { at: viewer.now, value }),
    () => entries.delete(key),
  )
  return known.value as Promise<Value>
}
