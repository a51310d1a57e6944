import type { JsonObject } from '#lib/json-value.ts'

/** A header by its lowercase name, whatever case it was sent in; undefined when absent. */
export function headerOf(headers: JsonObject | undefined, name: string): unknown {
  if (headers === undefined) return undefined
  const exact = headers[name]
  if (exact !== undefined && Object.hasOwn(headers, name)) return exact
  for (const key in headers) if (key.length === name.length && key.toLowerCase() === name) return headers[key]
  return undefined
}
