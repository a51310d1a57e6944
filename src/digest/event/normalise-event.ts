/** An event of the wire becomes a StoredEvent, in place: one shape for each field, bounded, by our clock. */

import { isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import type { EventUser, StoredEvent } from '#protocol/event.ts'
import { limits } from '../limits.ts'
import { itemTimeMs } from '../normalise/item-time.ts'
import { nameOf } from '../normalise/name-of.ts'
import type { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'
import { inferEventClient } from './infer-event-client.ts'
import { normaliseExceptions } from './normalise-exceptions.ts'
import { normaliseMessage } from './normalise-message.ts'
import { normaliseRequest } from './normalise-request.ts'
import { normaliseTags } from './normalise-tags.ts'
import { readLevel } from './read-level.ts'
import { valuesOf } from './values-of.ts'

export function normaliseEvent(raw: JsonObject, eventId: string, context: RecordContext, notes: Notes): StoredEvent {
  raw.event_id = eventId
  raw.timestamp = itemTimeMs(raw.timestamp, 'timestamp', context, notes) / 1e3
  raw.platform = nameOf(raw.platform) || 'other'
  raw.level = readLevel(raw.level)
  raw.logentry = normaliseMessage(raw.logentry, raw.message, notes)
  raw.message = undefined
  // Ours alone: a client must not be able to claim that something was removed.
  if (raw._hydrant !== undefined) raw._hydrant = undefined
  raw.exception = normaliseExceptions(raw.exception, notes)
  raw.breadcrumbs = normaliseBreadcrumbs(raw.breadcrumbs, notes)
  raw.tags = normaliseTags(raw.tags, notes)
  raw.user = normaliseUser(raw.user, notes)
  raw.contexts = normaliseContexts(raw.contexts, notes)
  raw.request = normaliseRequest(raw.request, notes)
  raw.fingerprint = normaliseFingerprint(raw.fingerprint)
  raw.sdk = objectOf(raw.sdk) ?? context.sdk
  for (const field of texts) {
    const value = raw[field]
    if (value === undefined) continue
    raw[field] = nameOf(value)
    if (typeof value === 'string' && value.length > limits.nameChars)
      notes.add('trimmed', field, `${value.length} chars`)
  }
  // Every field that the type names has been given its shape above.
  const event = raw as StoredEvent
  inferEventClient(event, context)
  return event
}

const texts = ['transaction', 'environment', 'release', 'dist', 'server_name', 'logger'] as const

function normaliseBreadcrumbs(given: unknown, notes: Notes): JsonObject[] | undefined {
  const crumbs = valuesOf(given, 'breadcrumbs', notes)
  if (crumbs === undefined || crumbs.length <= limits.breadcrumbs) return crumbs
  notes.add('trimmed', 'breadcrumbs', `${crumbs.length} given, the last ${limits.breadcrumbs} kept`)
  return crumbs.slice(-limits.breadcrumbs)
}

function normaliseUser(given: unknown, notes: Notes): EventUser | undefined {
  if (given === undefined || given === null) return undefined
  if (!isObject(given)) {
    notes.add('invalid', 'user')
    return undefined
  }
  for (const field of ['id', 'email', 'username', 'ip_address'] as const) {
    const value = given[field]
    if (value !== undefined) given[field] = value === null ? undefined : nameOf(value)
  }
  return given as EventUser
}

function normaliseContexts(given: unknown, notes: Notes): StoredEvent['contexts'] {
  if (given === undefined || given === null) return {}
  if (!isObject(given)) {
    notes.add('invalid', 'contexts')
    return {}
  }
  for (const name in given) {
    if (isObject(given[name])) continue
    if (given[name] !== null && given[name] !== undefined) notes.add('invalid', `contexts.${name.slice(0, 100)}`)
    Reflect.deleteProperty(given, name)
  }
  return given as StoredEvent['contexts']
}

function normaliseFingerprint(given: unknown): string[] | undefined {
  if (given === undefined || given === null) return undefined
  const parts = (Array.isArray(given) ? given : [given]).map(textOf).filter(part => part !== '')
  return parts.length === 0 ? undefined : parts.slice(0, 50).map(nameOf)
}
