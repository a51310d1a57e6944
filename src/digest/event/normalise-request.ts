import { isObject, type JsonObject, setOwn, textOf } from '#lib/json-value.ts'
import type { Notes } from '../notes.ts'

/** The request as an object whose headers are an object too: old SDKs send a list of pairs. */
export function normaliseRequest(given: unknown, notes: Notes): JsonObject | undefined {
  if (given === undefined || given === null) return undefined
  if (!isObject(given)) {
    notes.add('invalid', 'request')
    return undefined
  }
  if (Array.isArray(given.headers)) given.headers = fromPairs(given.headers)
  else if (given.headers !== undefined && !isObject(given.headers)) given.headers = undefined
  if (given.url !== undefined && typeof given.url !== 'string') given.url = textOf(given.url)
  return given
}

function fromPairs(pairs: unknown[]): JsonObject {
  const headers: JsonObject = {}
  for (const pair of pairs) {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') continue
    const earlier = Object.hasOwn(headers, pair[0]) ? `${textOf(headers[pair[0]])}, ` : ''
    setOwn(headers, pair[0], earlier + textOf(pair[1]))
  }
  return headers
}
