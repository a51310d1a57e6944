import { isObject, type JsonObject } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'

/** Marks a stack that was sent beside its error. */
const besideError = 'event'

/**
 * Moves a stack that was sent beside the only error into it: some SDKs send `exception` and `stacktrace` apart. An error that has
 * frames keeps them.
 */
export function moveStack(raw: JsonObject, normalize: (stack: JsonObject) => JsonObject | undefined): void {
  const { exception, stacktrace } = raw
  const [only, ...others] = isObject(exception) && Array.isArray(exception.values) ? exception.values : []
  if (!isObject(only) || others.length > 0 || hasFrames(only.stacktrace) || !hasFrames(stacktrace)) return
  only.stacktrace = { ...normalize(stacktrace), from: besideError }
  raw.stacktrace = undefined
}

const hasFrames = (stack: unknown): stack is JsonObject =>
  isObject(stack) && Array.isArray(stack.frames) && stack.frames.length > 0

/** The event as versions 1 and 2 grouped it, when a stack beside the error was ignored. */
export function withoutMovedStack(event: StoredEvent): StoredEvent {
  const [only] = event.exception?.values ?? []
  if (only?.stacktrace?.from !== besideError) return event
  const { stacktrace: _, ...bare } = only
  return { ...event, exception: { values: [bare] } }
}
