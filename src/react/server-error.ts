import { isObject, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { readReactError } from './react-errors/react-error.ts'

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

/** How the browser says that the server failed. The error has no stack of its own and every one of them looks alike. */
const codes = new Set([419, 441])
const wordings = [
  /^An error occurred in the Server Components render/,
  /^The server could not finish this Suspense boundary/,
  /^Switched to client rendering because the server rendering (?:errored|aborted)/,
]

/** Whether a browser's event is the echo of an error whose stack only the server has. */
export function isServerError(event: StoredEvent): boolean {
  const error = event.exception?.values.at(-1)
  if (error?.value === undefined || event.platform !== 'javascript') return false
  const code = readReactError(error.value)?.code
  if (code !== undefined) return codes.has(code)
  return wordings.some(wording => wording.test(error.value ?? ''))
}
