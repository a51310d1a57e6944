import { isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { ExceptionView, FrameView } from './event-view.ts'
import { readFrameView } from './read-frame-view.ts'

const maxShownFrames = 200 // over all exceptions: a recursion without end is no more readable at ten thousand
const minShownFrames = 20

/** Outermost exception first, root cause last, newest call first. */
export function readExceptions(exception: unknown): ExceptionView[] {
  const values = objects(objectOf(exception)?.values)
  const frameLimit = Math.max(minShownFrames, Math.floor(maxShownFrames / Math.max(1, values.length)))
  return values.map(value => readException(value, frameLimit)).reverse()
}

function readException(value: JsonObject, frameLimit: number): ExceptionView {
  const mechanism = objectOf(value.mechanism)
  const sent = objects(objectOf(value.stacktrace)?.frames)
  const raw = objects(objectOf(value.raw_stacktrace)?.frames)
  const frames = readFrames(sent, frameLimit)
  return {
    type: textOf(value.type),
    message: textOf(value.value),
    mechanism: textOf(mechanism?.type),
    isHandled: typeof mechanism?.handled === 'boolean' ? mechanism.handled : null,
    frames,
    rawFrames: raw.length > 0 ? readFrames(raw, frameLimit) : frames,
    hiddenFrames: Math.max(0, sent.length - frameLimit),
  }
}

const readFrames = (frames: JsonObject[], limit: number): FrameView[] =>
  frames.slice(-limit).reverse().map(readFrameView)

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
