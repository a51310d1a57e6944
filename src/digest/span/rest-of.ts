import type { JsonObject } from '#lib/json-value.ts'
import { cleanTree } from '../normalise/clean-tree.ts'
import type { Notes } from '../notes.ts'

/** Fields of tomorrow's SDKs: kept as JSON, '' when there are none. */
export function restOf(span: JsonObject, known: ReadonlySet<string>, mayHaveShapes: boolean, notes: Notes): string {
  let rest: JsonObject | null = null
  for (const key in span) {
    if (known.has(key)) continue
    rest ??= Object.create(null) as JsonObject
    rest[key] = span[key]
  }
  return rest === null ? '' : JSON.stringify(cleanTree(rest, '', mayHaveShapes, notes))
}
