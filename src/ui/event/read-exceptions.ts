import { isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { FrameAdvice } from '#queries/maps/read-stacks.ts'
import type { ExceptionView, FrameView } from './event-view.ts'
import { readFrameView } from './read-frame-view.ts'

const maxShownFrames = 200 // over all exceptions: a recursion without end is no more readable at ten thousand
const minShownFrames = 20

/** Outermost exception first, newest call first. Root cause last, unless several errors were collected into one. */
export function readExceptions(exception: unknown, advice: readonly FrameAdvice[] = []): ExceptionView[] {
  const values = objects(objectOf(exception)?.values)
  const frameLimit = Math.max(minShownFrames, Math.floor(maxShownFrames / Math.max(1, values.length)))
  return values
    .map((value, at) => {
      const own = advice.filter(each => each.exception === at)
      return readException(value, frameLimit, new Map(own.map(each => [each.frame, each.sentence])))
    })
    .reverse()
}

function readException(value: JsonObject, frameLimit: number, advice: ReadonlyMap<number, string>): ExceptionView {
  const mechanism = objectOf(value.mechanism)
  const sent = objects(objectOf(value.stacktrace)?.frames)
  const raw = objects(objectOf(value.raw_stacktrace)?.frames)
  const frames = readFrames(sent, frameLimit, advice)
  return {
    type: textOf(value.type),
    message: textOf(value.value),
    mechanism: textOf(mechanism?.type),
    isHandled: typeof mechanism?.handled === 'boolean' ? mechanism.handled : null,
    isGroup: mechanism?.is_exception_group === true,
    frames,
    rawFrames: raw.length > 0 ? readFrames(raw, frameLimit, new Map()) : frames,
    hiddenFrames: Math.max(0, sent.length - frameLimit),
  }
}

function readFrames(frames: JsonObject[], limit: number, advice: ReadonlyMap<number, string>): FrameView[] {
  const first = Math.max(0, frames.length - limit)
  return frames
    .slice(first)
    .map((frame, at) => readFrameView(frame, advice.get(first + at) ?? null))
    .reverse()
}

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
