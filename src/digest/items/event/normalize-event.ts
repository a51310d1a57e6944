/** Turns an event from the wire into a StoredEvent, in place: one shape and a size limit for each field, times by the server's clock. */

import { moveStack } from '#grouping/moved-stack.ts'
import { canonicalAddress } from '#lib/ip-address.ts'
import { isObject, type JsonObject, objectOf, setOwn, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import type { EventUser, StoredEvent } from '#protocol/event.ts'
import { limits } from '../../limits.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { nameOf } from '../../normalize/user-hash.ts'
import type { Notes } from '../../notes.ts'
import { eventTimeMs, type RecordContext } from '../../record-context.ts'
import { inferEventClient } from './event-client.ts'
import { normalizeExceptions, normalizeStack, valuesOf } from './normalize-exceptions.ts'

export function normalizeEvent(raw: JsonObject, eventId: string, context: RecordContext, notes: Notes): StoredEvent {
  renameInterfaces(raw)
  raw.event_id = eventId
  raw.timestamp = eventTimeMs(raw.timestamp, 'timestamp', context, notes) / 1e3
  raw.platform = nameOf(raw.platform) || 'other'
  raw.level = readLevel(raw.level)
  raw.logentry = normalizeMessage(raw.logentry, raw.message, notes)
  raw.message = undefined
  // Reserved for Hydrant: a client must not claim that something was removed.
  if (raw._hydrant !== undefined) raw._hydrant = undefined
  raw.exception = normalizeExceptions(raw.exception, notes)
  moveStack(raw, stack => normalizeStack(stack, 'stacktrace', notes))
  raw.breadcrumbs = normalizeBreadcrumbs(raw.breadcrumbs, notes)
  raw.tags = normalizeTags(raw.tags, notes)
  raw.user = normalizeUser(raw.user, notes)
  raw.contexts = normalizeContexts(raw.contexts, notes)
  raw.request = normalizeRequest(raw.request, notes)
  raw.fingerprint = normalizeFingerprint(raw.fingerprint)
  raw.sdk = objectOf(raw.sdk) ?? context.sdk
  for (const field of texts) {
    const value = raw[field]
    if (value === undefined) continue
    raw[field] = nameOf(value)
    if (typeof value === 'string' && value.length > limits.nameChars)
      notes.add('trimmed', field, `${value.length} chars`)
  }
  // Every field of the type has its shape now.
  const event = raw as StoredEvent
  inferEventClient(event, context)
  return event
}

/** Clients from before 2017 name fields after Sentry's classes. */
const interfaces = new Map([
  ['sentry.interfaces.Message', 'logentry'],
  ['sentry.interfaces.Exception', 'exception'],
  ['sentry.interfaces.Stacktrace', 'stacktrace'],
  ['sentry.interfaces.Template', 'template'],
  ['sentry.interfaces.Breadcrumbs', 'breadcrumbs'],
  ['sentry.interfaces.Http', 'request'],
  ['sentry.interfaces.User', 'user'],
  ['sentry.interfaces.Contexts', 'contexts'],
  ['sentry.interfaces.Threads', 'threads'],
  ['sentry.interfaces.Csp', 'csp'],
])

function renameInterfaces(raw: JsonObject): void {
  for (const [name, field] of interfaces) {
    if (raw[name] === undefined) continue
    raw[field] ??= raw[name]
    raw[name] = undefined
  }
}

const texts = ['transaction', 'environment', 'release', 'dist', 'server_name', 'logger'] as const

function normalizeBreadcrumbs(given: unknown, notes: Notes): JsonObject[] | undefined {
  const crumbs = valuesOf(given, 'breadcrumbs', notes)
  if (crumbs === undefined || crumbs.length <= limits.breadcrumbs) return crumbs
  notes.add('trimmed', 'breadcrumbs', `${crumbs.length} given, the last ${limits.breadcrumbs} kept`)
  return crumbs.slice(-limits.breadcrumbs)
}

function normalizeUser(given: unknown, notes: Notes): EventUser | undefined {
  if (given === undefined || given === null) return undefined
  if (!isObject(given)) {
    notes.add('invalid', 'user')
    return undefined
  }
  for (const field of ['id', 'email', 'username', 'ip_address'] as const) {
    const value = given[field]
    if (value !== undefined) given[field] = value === null ? undefined : nameOf(value)
  }
  if (typeof given.ip_address === 'string') given.ip_address = canonicalAddress(given.ip_address)
  return given as EventUser
}

function normalizeContexts(given: unknown, notes: Notes): StoredEvent['contexts'] {
  if (given === undefined || given === null) return {}
  if (!isObject(given)) {
    notes.add('invalid', 'contexts')
    return {}
  }
  for (const name in given) {
    if (isObject(given[name])) continue
    if (given[name] !== null && given[name] !== undefined) notes.add('invalid', `contexts.${clipText(name, 100)}`)
    Reflect.deleteProperty(given, name)
  }
  return given as StoredEvent['contexts']
}

function normalizeFingerprint(given: unknown): string[] | undefined {
  if (given === undefined || given === null) return undefined
  const parts = (Array.isArray(given) ? given : [given]).map(textOf).filter(part => part !== '')
  return parts.length === 0 ? undefined : parts.slice(0, 50).map(nameOf)
}

/** Merges `message` (text or object) and `logentry` into `logentry`, with its parameters filled in. */
function normalizeMessage(logentry: unknown, message: unknown, notes: Notes): StoredEvent['logentry'] {
  const given = logentry ?? message
  if (given === undefined || given === null) return undefined
  if (!isObject(given)) {
    const text = clip(textOf(given), notes)
    return text === '' ? undefined : { message: text }
  }
  const template = clip(textOf(given.message), notes)
  const formatted = clip(textOf(given.formatted), notes) || fill(template, given.params)
  if (template === '' && formatted === '') return undefined
  const entry: NonNullable<StoredEvent['logentry']> = { message: template || formatted }
  if (formatted !== '' && formatted !== template) entry.formatted = formatted
  if (given.params !== undefined) entry.params = given.params
  return entry
}

function fill(template: string, params: unknown): string {
  if (!Array.isArray(params) || params.length === 0) return ''
  let next = 0
  const filled = template.replace(/%[sdifo]|\{\}/g, mark => (next < params.length ? textOf(params[next++]) : mark))
  return clipText(filled, limits.messageChars)
}

function clip(text: string, notes: Notes): string {
  if (text.length <= limits.messageChars) return text
  notes.add('trimmed', 'logentry', `${text.length} chars`)
  return clipText(text, limits.messageChars)
}

/** Tags may be an object or a list of pairs. */
function normalizeTags(given: unknown, notes: Notes): Record<string, string> {
  const tags: Record<string, string> = {}
  if (given === undefined || given === null) return tags
  let count = 0
  const put = (key: string, value: unknown) => {
    if (value === null || value === undefined) return
    if (++count > limits.tags) return
    setOwn(
      tags,
      clipTag(key, limits.tagKeyChars, key, notes),
      clipTag(tagText(key, value, notes), limits.tagValueChars, key, notes),
    )
  }
  if (Array.isArray(given)) {
    for (const pair of given) {
      if (Array.isArray(pair)) put(textOf(pair[0]), pair[1])
      else if (isObject(pair)) put(textOf(pair.key), pair.value)
      else notes.add('invalid', 'tags')
    }
  } else if (isObject(given)) for (const key in given) put(key, given[key])
  else notes.add('invalid', 'tags')
  if (count > limits.tags) notes.add('trimmed', 'tags', `${count} tags`)
  return tags
}

const tagText = (key: string, value: unknown, notes: Notes): string =>
  typeof value === 'object' ? JSON.stringify(cleanTree(value, `tags.${key}`, true, notes)) : textOf(value)

function clipTag(text: string, maxChars: number, key: string, notes: Notes): string {
  if (text.length <= maxChars) return text
  notes.add('trimmed', `tags.${clipText(key, limits.tagKeyChars)}`, `${text.length} chars`)
  return clipText(text, maxChars)
}

/** Headers become an object: old SDKs send a list of pairs. */
function normalizeRequest(given: unknown, notes: Notes): JsonObject | undefined {
  if (given === undefined || given === null) return undefined
  if (!isObject(given)) {
    notes.add('invalid', 'request')
    return undefined
  }
  if (Array.isArray(given.headers)) given.headers = fromPairs(given.headers)
  else if (isObject(given.headers)) joinLists(given.headers)
  else if (given.headers !== undefined) given.headers = undefined
  if (given.url !== undefined && typeof given.url !== 'string') given.url = textOf(given.url)
  return given
}

/** PHP sends a list of values for each header. */
function joinLists(headers: JsonObject): void {
  for (const name in headers) {
    const values = headers[name]
    if (Array.isArray(values)) setOwn(headers, name, values.map(textOf).filter(Boolean).join(', '))
  }
}

function fromPairs(pairs: unknown[]): JsonObject {
  const headers: JsonObject = {}
  for (const pair of pairs) {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') continue
    const earlier = Object.hasOwn(headers, pair[0]) ? `${textOf(headers[pair[0]])}, ` : ''
    setOwn(headers, pair[0], earlier + textOf(pair[1]))
  }
  return headers
}

const aliases = new Map([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['error', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['log', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
])

/** SDKs leave out the level of errors. */
const readLevel = (value: unknown): string =>
  (typeof value === 'string' ? aliases.get(value.toLowerCase()) : undefined) ?? 'error'
