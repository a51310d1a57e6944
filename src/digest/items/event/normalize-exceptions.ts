/** Normalizes exceptions to `{ values }`, oldest cause first, with valid frames and texts. */
import { isObject, type JsonObject, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import type { ExceptionValue, Frame, Mechanism } from '#protocol/event.ts'
import { limits } from '../../limits.ts'
import type { Notes } from '../../notes.ts'

export function normalizeExceptions(given: unknown, notes: Notes): { values: ExceptionValue[] } | undefined {
  const values = valuesOf(given, 'exception', notes)
  if (values === undefined || values.length === 0) return undefined
  if (values.length > limits.exceptions) {
    notes.add('trimmed', 'exception.values', `${values.length} given`)
    values.splice(0, values.length - limits.exceptions)
  }
  for (let at = 0; at < values.length; at++) normalizeException(values[at] as JsonObject, at, notes)
  return { values: values as ExceptionValue[] }
}

function normalizeException(exception: JsonObject, at: number, notes: Notes): void {
  makeText(exception, 'type', limits.nameChars, `exception.values.${at}.type`, notes)
  makeText(exception, 'value', limits.messageChars, `exception.values.${at}.value`, notes)
  if (exception.mechanism !== undefined && !isObject(exception.mechanism)) exception.mechanism = undefined
  const mechanism = exception.mechanism as Mechanism | undefined
  if (mechanism !== undefined && typeof mechanism.type !== 'string') mechanism.type = textOf(mechanism.type)
  exception.stacktrace = normalizeStack(exception.stacktrace, `exception.values.${at}.stacktrace`, notes)
}

export function normalizeStack(given: unknown, path: string, notes: Notes): JsonObject | undefined {
  if (!isObject(given) || !Array.isArray(given.frames)) return undefined
  given.frames = normalizeFrames(given.frames, path, notes)
  return given
}

function normalizeFrames(given: unknown[], path: string, notes: Notes): Frame[] {
  const maxFrames = limits.framesFirst + limits.framesLast
  let frames = given
  if (frames.length > maxFrames) {
    notes.add(
      'trimmed',
      `${path}.frames`,
      `${frames.length} frames, ${frames.length - maxFrames} left out in the middle`,
    )
    frames = [...frames.slice(0, limits.framesFirst), ...frames.slice(-limits.framesLast)]
  }
  if (!frames.every(isObject)) {
    notes.add('invalid', `${path}.frames`)
    frames = frames.filter(isObject)
  }
  for (const frame of frames as JsonObject[]) {
    for (const field of frameTexts) {
      const value = frame[field]
      if (value !== undefined && typeof value !== 'string') frame[field] = value === null ? undefined : textOf(value)
    }
  }
  return frames as Frame[]
}

const frameTexts = ['function', 'module', 'filename', 'abs_path', 'context_line'] as const

/** Makes a field text or undefined. Thrown objects are stored as JSON. */
function makeText(object: JsonObject, key: string, maxChars: number, path: string, notes: Notes): void {
  const given = object[key]
  if (given === undefined) return
  let text = typeof given === 'object' && given !== null ? safeJson(given) : textOf(given)
  if (text.length > maxChars) {
    notes.add('trimmed', path, `${text.length} chars`)
    text = clipText(text, maxChars)
  }
  object[key] = text === '' ? undefined : text
}

/** JSON.stringify recurses, so it throws for values that are nested thousands of levels deep. */
function safeJson(value: object): string {
  try {
    return JSON.stringify(value)
  } catch {
    return '[nested too deep]'
  }
}

/** The objects of a list that is sent as `[…]`, `{ values: […] }` or a single object. */
export function valuesOf(given: unknown, path: string, notes: Notes): JsonObject[] | undefined {
  if (given === undefined || given === null) return undefined
  const inner = isObject(given) && given.values !== undefined ? given.values : given
  const list = Array.isArray(inner) ? inner : [inner]
  if (list.every(isObject)) return list
  notes.add('invalid', path)
  return list.filter(isObject)
}
