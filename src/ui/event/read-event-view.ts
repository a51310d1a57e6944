import { countOf, isObject, type JsonObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import type { FrameAdvice } from '#queries/maps/read-stacks.ts'
import type { EventView, GroupView, NoteView } from './event-view.ts'
import { readCrumbs } from './read-crumbs.ts'
import { readExceptions } from './read-exceptions.ts'
import { readGroup } from './read-group.ts'

/** The stored JSON of an event as its page draws it. */
export function readEventView(data: string, advice: readonly FrameAdvice[] = []): EventView {
  const event = parse(data)
  const hydrant = objectOf(event._hydrant)
  const contexts = objectOf(event.contexts) ?? {}
  return {
    message:
      textOf(event.message) || textOf(objectOf(event.logentry)?.formatted) || textOf(objectOf(event.logentry)?.message),
    exceptions: readExceptions(event.exception, advice),
    crumbs: readCrumbs(event.breadcrumbs, (numberOf(event.timestamp) ?? 0) * 1e3),
    request: readRequest(objectOf(event.request) ?? {}),
    user: readGroup('User', event.user),
    flags: readFlags(contexts.flags),
    contexts: readContexts(contexts),
    extra: readGroup('Extra', event.extra),
    sdk: readGroup('SDK', event.sdk),
    notes: objects(hydrant?.notes).map(readNote),
    droppedNotes: countOf(hydrant?.dropped),
  }
}

const maxLists = 8 // a request has headers, cookies, a body and an environment; whoever sends more gets them as JSON

/** Headers, cookies and a body of fields are lists of their own: as one line of JSON nobody could read them. */
function readRequest(request: JsonObject): GroupView[] {
  const lists = Object.entries(request)
    .filter(([, value]) => isObject(value))
    .slice(0, maxLists)
  const names = lists.map(([name]) => name)
  return [
    readGroup('Request', request, names),
    ...lists.map(([name, value]) => readGroup(`Request ${name}`, value)),
  ].filter(group => group !== null)
}

const maxContexts = 40

function readContexts(contexts: JsonObject): GroupView[] {
  return Object.entries(contexts)
    .filter(([name]) => name !== 'flags')
    .slice(0, maxContexts)
    .flatMap(([name, value]) => readGroup(name, value, ['type']) ?? [])
}

/** Feature flags come as a list of name and result. */
function readFlags(context: unknown): GroupView | null {
  const flags = objects(objectOf(context)?.values).filter(({ flag }) => textOf(flag) !== '')
  const byName = Object.fromEntries(flags.map(({ flag, result }) => [textOf(flag), String(result)]))
  return readGroup('Feature flags', byName)
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

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
