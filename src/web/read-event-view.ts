import { countOf, isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { EventView, ExceptionView, NoteView } from '#ui/event/event-view.ts'
import { readFrameView } from './read-frame-view.ts'

const maxShownFrames = 250 // a recursion without end is no more readable at ten thousand

/** The stored JSON of an event as its page draws it: outermost exception first, root cause last, newest call first. */
export function readEventView(data: string): EventView {
  const event = parse(data)
  const hydrant = objectOf(event._hydrant)
  return {
    message:
      textOf(event.message) || textOf(objectOf(event.logentry)?.formatted) || textOf(objectOf(event.logentry)?.message),
    exceptions: objects(objectOf(event.exception)?.values).map(readException).reverse(),
    notes: objects(hydrant?.notes).map(readNote),
    droppedNotes: countOf(hydrant?.dropped),
    json: indent(event, data),
  }
}

function readException(value: JsonObject): ExceptionView {
  const mechanism = objectOf(value.mechanism)
  const frames = objects(objectOf(value.stacktrace)?.frames)
  return {
    type: textOf(value.type),
    message: textOf(value.value),
    mechanism: textOf(mechanism?.type),
    isHandled: typeof mechanism?.handled === 'boolean' ? mechanism.handled : null,
    frames: frames.slice(-maxShownFrames).reverse().map(readFrameView),
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
