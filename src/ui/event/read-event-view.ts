import type { FrameAdvice } from '#domain/events/stacks/read-stacks.ts'
import { bareStacksOf } from '#lib/bare-stacks.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { isInApp } from '#lib/is-in-app.ts'
import { countOf, isObject, type JsonObject, jsonObjectOf, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import { securityReportOf } from '#lib/security-report.ts'
import { clipText } from '#lib/text.ts'
import type {
  CrumbKind,
  CrumbView,
  EventView,
  ExceptionView,
  FieldView,
  FrameView,
  GroupView,
  NoteView,
  SourceLine,
} from './event-view.ts'

/** Reads the stored JSON of an event for its page. */
export function readEventView(data: string, advice: readonly FrameAdvice[] = []): EventView {
  const event = jsonObjectOf(data)
  const hydrant = objectOf(event._hydrant)
  const contexts = objectOf(event.contexts) ?? {}
  const exceptions = readExceptions(event.exception, advice)
  return {
    message:
      textOf(event.message) || textOf(objectOf(event.logentry)?.formatted) || textOf(objectOf(event.logentry)?.message),
    exceptions,
    stacks: exceptions.some(({ frames }) => frames.length > 0) ? [] : readStacks(event),
    crumbs: readCrumbs(event.breadcrumbs, (numberOf(event.timestamp) ?? 0) * 1e3),
    request: readRequest(objectOf(event.request) ?? {}),
    report: readGroup('Report', securityReportOf(event)?.fields),
    user: readGroup('User', event.user),
    flags: readFlags(contexts.flags),
    contexts: readContexts(contexts),
    extra: readGroup('Extra', event.extra),
    sdk: readGroup('SDK', event.sdk),
    notes: objects(hydrant?.notes).map(readNote),
    droppedNotes: countOf(hydrant?.dropped),
  }
}

const maxLists = 8 // headers, cookies, body, environment; further objects are shown as JSON

/** Headers, cookies and form fields become groups of their own, because one line of JSON would be unreadable. */
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

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

const maxCrumbs = 100
const maxMessageChars = 400

/** Breadcrumbs, oldest first, with times relative to the event. */
function readCrumbs(crumbs: unknown, eventAtMs: number): CrumbView[] {
  const list = Array.isArray(crumbs) ? crumbs.filter(isObject) : []
  return list.slice(-maxCrumbs).map((crumb, index) => readCrumb(crumb, index + 1, eventAtMs))
}

function readCrumb(crumb: JsonObject, number: number, eventAtMs: number): CrumbView {
  const at = crumbTimeMs(crumb.timestamp)
  const category = textOf(crumb.category) || textOf(crumb.type) || 'default'
  const data = objectOf(crumb.data) ?? {}
  const kind = kindOf(category, textOf(crumb.type), textOf(crumb.level))
  const result = resultOf(data)
  return {
    number,
    offsetMs: at === null ? null : Math.round(at - eventAtMs),
    kind,
    category: clipText(category, 60),
    message: clipText(messageOf(crumb, data), maxMessageChars),
    result,
    level: clipText(textOf(crumb.level), 20),
    isBad: kind === 'error' || (kind === 'network' && /^5\d\d$/.test(result)),
  }
}

function crumbTimeMs(timestamp: unknown): number | null {
  const seconds = numberOf(timestamp)
  const at = seconds === undefined ? Date.parse(textOf(timestamp)) : seconds * 1e3
  return Number.isFinite(at) ? at : null
}

function kindOf(category: string, type: string, level: string): CrumbKind {
  if (level === 'error' || level === 'fatal' || category === 'exception' || type === 'error') return 'error'
  if (category === 'navigation' || type === 'navigation') return 'navigation'
  if (['fetch', 'xhr', 'http'].includes(category) || type === 'http') return 'network'
  if (category === 'console') return 'console'
  return category.startsWith('ui.') || type === 'user' ? 'interaction' : 'other'
}

/** A one-line description; without a message it is derived from the data. */
function messageOf(crumb: JsonObject, data: JsonObject): string {
  const message = textOf(crumb.message)
  if (message) return message
  if (data.to !== undefined) return `${textOf(data.from)} → ${textOf(data.to)}`
  if (data.url !== undefined) return `${textOf(data.method) || 'GET'} ${textOf(data.url)}`
  return Object.keys(data).length === 0 ? '' : fieldText(data)
}

function resultOf(data: JsonObject): string {
  const status = textOf(data.status_code) || textOf(data.status)
  return clipText(status, 30)
}

const maxShownFrames = 200 // over all exceptions, for infinite recursions
const minShownFrames = 20

/** Outermost exception first, newest call first. The root cause is last, except in an exception group. */
export function readExceptions(exception: unknown, advice: readonly FrameAdvice[] = []): ExceptionView[] {
  const values = exceptionObjects(objectOf(exception)?.values)
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
  const sent = exceptionObjects(objectOf(value.stacktrace)?.frames)
  const raw = exceptionObjects(objectOf(value.raw_stacktrace)?.frames)
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

const maxThreads = 20 // the JSON download has all of them

/** Stacks without an error, in the shape of exceptions that have no message. */
function readStacks(event: JsonObject): ExceptionView[] {
  const stacks = bareStacksOf(event).slice(0, maxThreads)
  const frameLimit = Math.max(minShownFrames, Math.floor(maxShownFrames / Math.max(1, stacks.length)))
  return stacks.map(({ thread, stack }) => ({
    ...readException({ stacktrace: stack }, frameLimit, new Map()),
    type: thread === null ? 'Stack of the message' : `Thread ${thread.name || thread.id}`.trim(),
    message: thread?.isCrashed ? 'crashed' : '',
  }))
}

function readFrames(frames: JsonObject[], limit: number, advice: ReadonlyMap<number, string>): FrameView[] {
  const first = Math.max(0, frames.length - limit)
  return frames
    .slice(first)
    .map((frame, at) => readFrameView(frame, advice.get(first + at) ?? null))
    .reverse()
}

const exceptionObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

const maxLineChars = 500 // minified bundles have lines of a megabyte
const maxVars = 30

function readFrameView(frame: JsonObject, advice: string | null = null): FrameView {
  const line = positive(frame.lineno)
  const vars = objectOf(frame.vars)
  return {
    name: textOf(frame.function) || '<anonymous>',
    path: textOf(frame.filename) || textOf(frame.abs_path) || textOf(frame.module),
    line,
    column: positive(frame.colno),
    isInApp: isInApp(frame),
    source: readSource(frame, line),
    vars: vars ? readFields(vars, Object.entries(vars), maxVars) : [],
    advice,
  }
}

function readSource(frame: JsonObject, line: number | null): SourceLine[] {
  if (line === null || typeof frame.context_line !== 'string') return []
  const before = texts(frame.pre_context)
  const after = texts(frame.post_context)
  const at = (offset: number, text: string): SourceLine => ({
    number: line + offset,
    text: cut(text),
    isHere: offset === 0,
    tokens: null,
  })
  return [
    ...before.map((text, index) => at(index - before.length, text)),
    at(0, frame.context_line),
    ...after.map((text, index) => at(index + 1, text)),
  ]
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.slice(0, 20).map(textOf) : [])

/** Cuts long lines of minified bundles and says by how much. */
function cut(text: string): string {
  if (text.length <= maxLineChars) return text
  const shown = clipText(text, maxLineChars)
  return `${shown}… (${formatWhole(text.length - shown.length)} more characters)`
}

function positive(value: unknown): number | null {
  const number = numberOf(value)
  return number !== undefined && number > 0 ? number : null
}

const maxFields = 60 // the page says how many more are in the JSON download
const maxValueChars = 600

/** The members of an object as rows of name and value. Null if there are none. */
export function readGroup(title: string, value: unknown, without: string[] = []): GroupView | null {
  if (!isObject(value)) return null
  const entries = Object.entries(value).filter(([name, member]) => !without.includes(name) && !isNothing(member))
  if (entries.length === 0) return null
  return { title, fields: readFields(value, entries), hidden: Math.max(0, entries.length - maxFields) }
}

function readFields(value: JsonObject, entries = Object.entries(value), limit = maxFields): FieldView[] {
  return entries.slice(0, limit).map(([name, member]) => ({ name, value: fieldText(member) }))
}

/** Text as it is, everything else as JSON. Cut to a bound here; the page shortens it further and says how much is missing. */
function fieldText(value: unknown): string {
  if (typeof value === 'string') return cutValue(value)
  try {
    return cutValue(JSON.stringify(value) ?? 'undefined')
  } catch {
    return '(nested too deep to show)'
  }
}

const cutValue = (text: string) => (text.length > maxValueChars * 2 ? `${clipText(text, maxValueChars)}…` : text)

const isNothing = (value: unknown) => value === null || value === undefined || value === ''
