import { isObject, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'

const digest = /^[\w@;./-]{4,100}$/

/**
 * The short name that Next gives an error of the server, so that its log and the browser can speak of the same one; '' where
 * nobody sent it. An SDK with extra error data says it in a context or in `extra`; else React's own line on the console does.
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

/** The newest line that names one: it is the one that was drawn last. */
function consoleDigest({ breadcrumbs = [] }: StoredEvent): unknown {
  for (const { category, data } of breadcrumbs.toReversed()) {
    if (category !== 'console' || !isObject(data) || !Array.isArray(data.arguments)) continue
    const named = data.arguments.find(argument => isObject(argument) && argument.digest !== undefined)
    if (isObject(named)) return named.digest
  }
  return undefined
}
