import type { StoredEvent } from '#domain/events/find-event.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { isObject, type JsonObject, objectOf, textOf } from '#lib/json-value.ts'
import { serializeKind, serializeTitle, serializeVersion } from '../issues/serialize-issue.ts'
import { serializeEntries } from './serialize-entries.ts'

/** An event with all its data. `neighbors` are the issue's events before and after it. */
export function serializeEvent(
  event: StoredEvent,
  issue: Issue,
  neighbors: { older: string | null; newer: string | null },
) {
  const stored = parse(event.data)
  const contexts = objectOf(stored.contexts) ?? {}
  return {
    id: event.event_id,
    eventID: event.event_id,
    groupID: String(issue.id),
    projectID: String(issue.projectId),
    projectSlug: issue.projectSlug,
    title: event.title,
    message: messageOf(stored),
    platform: event.platform,
    type: serializeKind(issue.kind),
    culprit: event.culprit,
    location: event.culprit || null,
    metadata: serializeTitle(event.title),
    dateCreated: new Date(event.timestamp).toISOString(),
    dateReceived: new Date(event.received_at).toISOString(),
    size: Buffer.byteLength(event.data),
    entries: serializeEntries(stored),
    contexts: Object.fromEntries(Object.entries(contexts).filter(([, value]) => isObject(value))),
    context: objectOf(stored.extra) ?? {},
    packages: objectOf(stored.modules) ?? {},
    user: serializeWholeUser(event, objectOf(stored.user)),
    sdk: event.sdk_name === '' ? null : { name: event.sdk_name, version: event.sdk_version },
    dist: textOf(stored.dist) || null,
    release: event.release === '' ? null : { ...serializeVersion(event.release), lastCommit: null },
    tags: serializeTags(event),
    errors: [],
    _meta: {},
    crashFile: null,
    occurrence: null,
    fingerprints: issue.hashes,
    nextEventID: neighbors.newer,
    previousEventID: neighbors.older,
  }
}

/** Sentry's tools expect common fields among the tags. */
function serializeTags(event: StoredEvent): { key: string; value: string }[] {
  const own: Record<string, string> = {
    level: event.level,
    environment: event.environment,
    release: event.release,
    transaction: event.route,
    url: event.url,
    handled: event.is_handled ? 'yes' : 'no',
    mechanism: event.mechanism,
    server_name: event.server_name,
    'browser.name': event.browser_name,
    'os.name': event.os_name,
  }
  const all = Object.entries({ ...own, ...event.tags })
  return all.filter(([, value]) => value !== '').map(([key, value]) => ({ key, value }))
}

function messageOf(event: JsonObject): string {
  const entry = objectOf(event.logentry)
  return textOf(entry?.formatted) || textOf(event.message) || textOf(entry?.message)
}

function parse(data: string): JsonObject {
  try {
    return objectOf(JSON.parse(data)) ?? {}
  } catch {
    return {} // digest always writes valid JSON; for other rows the columns must suffice
  }
}

const userFields = new Set(['id', 'email', 'username', 'name', 'ip_address', 'geo', 'data'])

/** With the app's own fields, which belong to `data`. */
function serializeWholeUser(event: StoredEvent, stored: JsonObject = {}) {
  const own = Object.entries(stored).filter(([name, value]) => !userFields.has(name) && value !== null)
  const data = { ...objectOf(stored.data), ...Object.fromEntries(own) }
  const user = serializeUser(event)
  if (user === null && Object.keys(data).length === 0) return null
  const none = { id: null, email: null, username: null, name: null, ip_address: null }
  return { ...(user ?? none), data, geo: objectOf(stored.geo) ?? null }
}

type UserColumns = { user_id: string; user_email: string; user_name: string; user_ip: string }

/** The user of an event; null if it has none. */
export function serializeUser({ user_id, user_email, user_name, user_ip }: UserColumns) {
  if (user_id === '' && user_email === '' && user_name === '' && user_ip === '') return null
  return {
    id: user_id || null,
    email: user_email || null,
    username: user_name || null,
    name: user_name || null,
    ip_address: user_ip || null,
    data: {},
    geo: null,
  }
}
