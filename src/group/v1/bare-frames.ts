import { isObject } from '#lib/json-value.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'

/** The frames of an event without an error: of the thread that crashed or was running, else those at the top of the event. */
export function bareFrames(event: StoredEvent): Frame[] {
  const threads = valuesOf(event.threads)
  const thread = threads.find(each => each.crashed === true) ?? threads.find(each => each.current === true)
  const ofThread = framesOf((thread ?? threads[0])?.stacktrace)
  return ofThread.length > 0 ? ofThread : framesOf(event.stacktrace)
}

function valuesOf(given: unknown): Record<string, unknown>[] {
  const list = isObject(given) ? given.values : given
  return Array.isArray(list) ? list.filter(isObject) : []
}

function framesOf(stack: unknown): Frame[] {
  return isObject(stack) && Array.isArray(stack.frames) ? stack.frames.filter(isObject) : []
}
