import { countOf, isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { EventView, ExceptionView, NoteView } from './event-view.ts'
import { readFrameView } from './read-frame-view.ts'

const maxShownFrames = 200 // over all exceptions: a recursion without end is no more readable at ten thousand
const minShownFrames = 20

/** The stored JSON of an event as its page draws it: outermost exception first, root cause last, newest call first. */
export function readEventView(data: string): EventView {
  const event = parse(data)
  const hydrant = objectOf(event._hydrant)
  return {
    message:
      textOf(event.message) || textOf(objectOf(event.logentry)?.formatted) || textOf(objectOf(event.logentry)?.message),
    exceptions: readExceptions(objects(objectOf(event.exception)?.values)),
    notes: objects(hydrant?.notes).map(readNote),
    droppedNotes: countOf(hydrant?.dropped),
    json: indent(event, data),
  }
}

function readExceptions(values: JsonObject[]): ExceptionView[] {
  const frameLimit = Math.max(minShownFrames, Math.floor(maxShownFrames / Math.max(1, values.length)))
  return values.map(value => readException(value, frameLimit)).reverse()
}

function readException(value: JsonObject, frameLimit: number): ExceptionView {
  const mechanism = objectOf(value.mechanism)
  const frames = objects(objectOf(value.stacktrace)?.frames)
  return {
    type: textOf(value.type),
    message: textOf(value.value),
    mechanism: textOf(mechanism?.type),
    isHandled: typeof mechanism?.handled === 'boolean' ? mechanism.handled : null,
    frames: frames.slice(-frameLimit).reverse().map(readFrameView),
    hiddenFrames: Math.max(0, frames.length - frameLimit),
  }
}

function readNote(note: JsonObject): NoteView {
  return { path: textOf(note.path), kind: textOf(note.kind), detail: textOf(note.detail) }
}

function parse(data: string): JsonObject {
  try {
    const value: unknown = JSON.parse(data)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Indenting recurses, and a hostile event may be nested deeper than the stack: then it is shown as it was stored. */
function indent(event: JsonObject, data: string): string {
  try {
    return JSON.stringify(event, null, 2)
  } catch {
    return data
  }
}

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
