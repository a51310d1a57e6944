import { isObject, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'

const digest = /^[\w@;./-]{4,100}$/

/**
 * The digest by which Next.js names a server error in its log and in the browser; '' if the event has none. It may be in a tag, a
 * context, `extra`, or in the line that React logs to the console.
 */
export function digestOf(event: StoredEvent): string {
  const candidates = [
    event.tags.digest,
    event.contexts.Error?.digest,
    event.contexts.nextjs?.digest,
    isObject(event.extra) ? event.extra.digest : undefined,
    isObject(event.extra) && isObject(event.extra.Error) ? event.extra.Error.digest : undefined,
    consoleDigest(event),
  ]
  return candidates.map(textOf).find(text => digest.test(text)) ?? ''
}

/** The digest in the newest console line that has one. */
function consoleDigest({ breadcrumbs = [] }: StoredEvent): unknown {
  for (const { category, data } of breadcrumbs.toReversed()) {
    if (category !== 'console' || !isObject(data) || !Array.isArray(data.arguments)) continue
    const named = data.arguments.find(argument => isObject(argument) && argument.digest !== undefined)
    if (isObject(named)) return named.digest
  }
  return undefined
}
