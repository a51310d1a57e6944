/** Readers for data that came from JSON and may be anything. None of them throws. */
export type JsonObject = { [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

/** Strings as they are, numbers and booleans as text, everything else ''. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Finite numbers, also those written as text; otherwise undefined. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value === '') return undefined
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : undefined
}

/** A whole number from 0 to `max`, for columns that are unsigned integers. */
export function countOf(value: unknown, max = Number.MAX_SAFE_INTEGER): number {
  const number = numberOf(value)
  return number === undefined || number <= 0 ? 0 : Math.min(Math.round(number), max)
}

/** Sets an own key whatever its name: plain assignment to `__proto__` would set the prototype and lose the value. */
export function setOwn(object: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  else (object as JsonObject)[key] = value
}

/** What the text says as JSON; null where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The object that the text is as JSON; an empty one where it is none. */
export const jsonObjectOf = (text: string): JsonObject => objectOf(jsonOf(text)) ?? {}

/** The ids in a JSON list. */
export function idsOf(text: string): number[] {
  const list = jsonOf(text)
  return Array.isArray(list) ? list.filter(id => Number.isSafeInteger(id)) : []
}
