import { bareStacksOf } from '#lib/bare-stacks.ts'
import { isInApp } from '#lib/is-in-app.ts'
import { isObject, type JsonObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import { securityReportOf } from '#lib/security-report.ts'
import { readPairs } from '#protocol/read-pairs.ts'

type Entry = { type: string; data: unknown }

/** The parts of an event, in the order in which tools print them. */
export function serializeEntries(event: JsonObject): Entry[] {
  return [
    messageEntry(event),
    exceptionEntry(event),
    ...stackEntries(event),
    securityEntry(event),
    crumbsEntry(event),
    requestEntry(event),
  ].filter(entry => entry !== null)
}

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const orNull = (value: unknown): string | null => textOf(value) || null

function exceptionEntry(event: JsonObject): Entry | null {
  const values = objects(objectOf(event.exception)?.values)
  if (values.length === 0) return null
  const serialized = values.map(value => ({
    type: orNull(value.type),
    value: orNull(value.value),
    module: orNull(value.module),
    threadId: null,
    mechanism: serializeMechanism(value.mechanism),
    stacktrace: serializeStack(value.stacktrace),
    rawStacktrace: null,
  }))
  const hasSystemFrames = serialized.some(({ stacktrace }) => stacktrace?.hasSystemFrames)
  return { type: 'exception', data: { values: serialized, hasSystemFrames, excOmitted: null } }
}

/** Stacks without an error: one of the event, and those of its threads. */
function stackEntries(event: JsonObject): Entry[] {
  const stacks = bareStacksOf(event)
  const own = stacks.find(({ thread }) => thread === null)
  const values = stacks.flatMap(({ thread, stack }) =>
    thread === null
      ? []
      : {
          id: thread.id || null,
          name: thread.name || null,
          crashed: thread.isCrashed,
          current: thread.isCurrent,
          stacktrace: serializeStack(stack),
          rawStacktrace: null,
        },
  )
  return [
    ...(own === undefined ? [] : [{ type: 'stacktrace', data: serializeStack(own.stack) }]),
    ...(values.length === 0 ? [] : [{ type: 'threads', data: { values } }]),
  ]
}

/** A report of a browser. Tools read the fields with underscores. */
function securityEntry(event: JsonObject): Entry | null {
  const report = securityReportOf(event)
  if (report === null) return null
  const fields = Object.entries(report.fields).map(([name, value]) => [withUnderscores(name), value])
  return { type: report.isCsp ? 'csp' : 'report', data: Object.fromEntries(fields) }
}

/** Browsers write `blocked-uri` or, in the Reporting API, `blockedURL`. */
const withUnderscores = (name: string): string =>
  name
    .replace(/URL$/, 'Uri')
    .replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    .replaceAll('-', '_')

function serializeMechanism(value: unknown) {
  const mechanism = objectOf(value)
  if (!mechanism) return null
  const { handled } = mechanism
  return {
    ...mechanism,
    type: textOf(mechanism.type) || 'generic',
    handled: typeof handled === 'boolean' ? handled : null,
  }
}

function messageEntry(event: JsonObject): Entry | null {
  const entry = objectOf(event.logentry)
  const formatted = textOf(entry?.formatted) || textOf(event.message) || textOf(entry?.message)
  if (formatted === '') return null
  const params = Array.isArray(entry?.params) ? entry.params : []
  return { type: 'message', data: { formatted, message: orNull(entry?.message), params } }
}

function crumbsEntry(event: JsonObject): Entry | null {
  const given = Array.isArray(event.breadcrumbs) ? event.breadcrumbs : objectOf(event.breadcrumbs)?.values
  const crumbs = objects(given)
  if (crumbs.length === 0) return null
  const values = crumbs.map(crumb => ({
    timestamp: isoOf(crumb.timestamp),
    type: textOf(crumb.type) || 'default',
    category: orNull(crumb.category),
    level: textOf(crumb.level) || 'info',
    message: orNull(crumb.message),
    data: objectOf(crumb.data) ?? null,
    event_id: orNull(crumb.event_id),
  }))
  return { type: 'breadcrumbs', data: { values } }
}

function isoOf(value: unknown): string | null {
  const seconds = numberOf(value)
  const at = seconds === undefined ? Date.parse(textOf(value)) : seconds * 1e3
  return Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : null
}

function requestEntry(event: JsonObject): Entry | null {
  const request = objectOf(event.request)
  if (!request) return null
  return {
    type: 'request',
    data: {
      url: orNull(request.url),
      method: orNull(request.method),
      headers: readPairs(objectOf(request.headers), '&') ?? [],
      cookies: readPairs(request.cookies, ';') ?? [],
      query: readPairs(request.query_string, '&') ?? [],
      data: request.data ?? null,
      env: objectOf(request.env) ?? null,
      fragment: null,
      apiTarget: null,
      inferredContentType: null,
    },
  }
}

/** A frame with its source lines as pairs of number and text. */
function serializeFrame(frame: JsonObject) {
  return {
    // Go's SDK only sends the absolute path, but tools print this field.
    filename: orNull(frame.filename) ?? orNull(frame.abs_path),
    absPath: orNull(frame.abs_path),
    module: orNull(frame.module),
    package: orNull(frame.package),
    platform: orNull(frame.platform),
    function: orNull(frame.function),
    rawFunction: orNull(frame.raw_function),
    context: serializeLines(frame),
    lineNo: numberOf(frame.lineno) ?? null,
    colNo: numberOf(frame.colno) ?? null,
    inApp: isInApp(frame),
    trust: null,
    errors: null,
    sourceLink: null,
    vars: objectOf(frame.vars) ?? null,
  }
}

function serializeLines(frame: JsonObject): [number, string][] {
  const line = numberOf(frame.lineno)
  if (line === undefined || typeof frame.context_line !== 'string') return []
  const before = texts(frame.pre_context)
  return [...before, frame.context_line, ...texts(frame.post_context)].map((text, index) => [
    line - before.length + index,
    text,
  ])
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : [])

function serializeStack(stack: unknown) {
  const frames = objectOf(stack)?.frames
  if (!Array.isArray(frames)) return null
  const serialized = frames.filter(isObject).map(serializeFrame)
  return {
    frames: serialized,
    framesOmitted: null,
    registers: null,
    hasSystemFrames: serialized.some(frame => !frame.inApp),
  }
}
