import { isObject, type JsonObject } from '#lib/json-value.ts'
import type { Notes } from '../notes.ts'

/** The objects of a list that comes as `[…]`, as `{ values: […] }`, or as one of them alone. */
export function valuesOf(given: unknown, path: string, notes: Notes): JsonObject[] | undefined {
  if (given === undefined || given === null) return undefined
  const inner = isObject(given) && given.values !== undefined ? given.values : given
  const list = Array.isArray(inner) ? inner : [inner]
  if (list.every(isObject)) return list
  notes.add('invalid', path)
  return list.filter(isObject)
}
