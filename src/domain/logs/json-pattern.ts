/**
 * The pattern of a line that is an object of JSON, as pino, winston, bunyan, structlog and log drains write it: its message, event and
 * type of error, or its keys if it has none of them.
 */

import { isObject } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { maskText, placeholder } from './mask-text.ts'

type Line = Record<string, unknown>

const messageKeys = ['msg', 'message', 'short_message', '@m', '@mt', 'textPayload', 'log', 'text', 'body']
const eventKeys = ['event', 'event_name', 'eventName', 'event.name', 'event.action']
const errorKeys = ['err', 'error', 'exception']
const typeKeys = ['type', 'name', 'kind', 'class']
/** Say what a line is about, unlike its other keys. */
const kindKeys = new Set([...eventKeys, 'type', 'kind', 'action', 'operation', 'op'])

const deepest = 3
const maxChars = 1_000

/** Null for a line that is not an object of JSON. */
export const maskJson = (body: string): string | null => {
  const line = readJson(body)
  return line && clipText(say(line, 0) || maskKeys(line, 0), maxChars)
}

function readJson(body: string): Line | null {
  const text = body.trim()
  if (!text.startsWith('{') || !text.endsWith('}')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && Object.keys(value).length > 0 ? value : null
  } catch {
    return null
  }
}

/** `event: message: type of the error`, as far as the line has them; '' if it has none. */
function say(line: Line, depth: number): string {
  const error = findError(line)
  const message = findMessage(line, depth)
  const event = firstOf(eventKeys, key => wordsOf(line[key]))
  const parts = message === '' && event === '' ? [error.type, error.message] : [event, message, error.type]
  return parts.filter((part, index) => part !== '' && parts.indexOf(part) === index).join(': ')
}

const findMessage = (line: Line, depth: number): string =>
  firstOf(messageKeys, key => {
    const value = line[key]
    const inner = typeof value === 'string' ? readJson(value) : isObject(value) ? value : null
    return inner === null ? wordsOf(value) : depth < deepest ? say(inner, depth + 1) : ''
  })

function findError(line: Line): { type: string; message: string } {
  for (const key of errorKeys) {
    const value = line[key]
    const error = isObject(value) ? value : null
    const type = firstOf(typeKeys, each => wordsOf(error ? error[each] : line[`${key}.${each}`]))
    const message = wordsOf(error ? error.message : (line[`${key}.message`] ?? value))
    if (type !== '' || message !== '') return { type, message }
  }
  return { type: '', message: '' }
}

function firstOf(keys: readonly string[], read: (key: string) => string): string {
  for (const key of keys) {
    const text = read(key)
    if (text !== '') return text
  }
  return ''
}

/** A masked text, or '' if nothing but values is left of it. */
function wordsOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  const text = maskText(value)
  return /\p{L}/u.test(text) ? text : ''
}

const maxKeys = 60

function maskKeys(line: Line, depth: number): string {
  const pairs = Object.entries(line)
    .slice(0, maxKeys)
    .map(([key, value]) => `${/\d/.test(key) ? placeholder : `"${key}"`}:${maskValue(key, value, depth)}`)
  return `{${[...new Set(pairs)].join(',')}}`
}

function maskValue(key: string, value: unknown, depth: number): string {
  if (isObject(value) && depth < deepest) return maskKeys(value, depth + 1)
  const words = kindKeys.has(key) ? wordsOf(value) : ''
  return words === '' ? placeholder : `"${words}"`
}
