export const stateWords = [
  'unresolved',
  'resolved',
  'archived',
  'new',
  'ongoing',
  'regressed',
  'escalating',
  'unhandled',
  'handled',
  'assigned',
  'unassigned',
] as const
export type StateWord = (typeof stateWords)[number]

export const levelWords = ['fatal', 'error', 'warning', 'info', 'debug', 'log'] as const
export const priorityWords = ['high', 'medium', 'low'] as const

/**
 * The keys of the issue list. `state` words and `person` values are about the issue; `text` is about its title; `count` about
 * its row's numbers; `moment` and `age` about when; everything `event` is asked of the events themselves. Any other key is a tag.
 */
export const issueFields: FieldTable = {
  fields: {
    is: { kind: 'state', says: 'state of the issue' },
    assigned: { kind: 'person', says: 'me, none, a mail address or #team' },
    level: { kind: 'level', says: 'fatal, error, warning, info, debug' },
    release: { kind: 'event', says: 'release of the event' },
    route: { kind: 'event', says: 'route pattern, like /items/[id]' },
    environment: { kind: 'event', says: 'environment of the event' },
    has: { kind: 'has', says: 'release, user, replay, trace or any tag' },
    timesSeen: { kind: 'count', says: 'events in the chosen time, like >100' },
    users: { kind: 'count', says: 'people in the chosen time, like >5' },
    firstSeen: { kind: 'moment', says: '-24h, +7d or a date' },
    lastSeen: { kind: 'moment', says: '-24h, +7d or a date' },
    age: { kind: 'age', says: 'since first seen, like -24h or >7d' },
    priority: { kind: 'priority', says: 'high, medium, low' },
    type: { kind: 'event', says: 'type of the exception' },
    message: { kind: 'text', says: 'words of the title' },
    transaction: { kind: 'event', says: 'name as the SDK sent it' },
    url: { kind: 'event', says: 'address of the page or request' },
    'browser.name': { kind: 'event', says: 'browser' },
    'browser.version': { kind: 'event', says: 'browser version' },
    'os.name': { kind: 'event', says: 'operating system' },
    'os.version': { kind: 'event', says: 'version of the operating system' },
    device: { kind: 'event', says: 'device' },
    'user.id': { kind: 'event', says: 'user id' },
    'user.email': { kind: 'event', says: 'mail address of the user' },
    'user.username': { kind: 'event', says: 'name of the user' },
    'user.ip': { kind: 'event', says: 'address of the user' },
    mechanism: { kind: 'event', says: 'how the error was caught' },
    platform: { kind: 'event', says: 'platform of the event' },
    'sdk.name': { kind: 'event', says: 'SDK' },
    'sdk.version': { kind: 'event', says: 'SDK version' },
    server_name: { kind: 'event', says: 'host that sent the event' },
    dist: { kind: 'event', says: 'distribution of the release' },
    trace: { kind: 'event', says: 'trace id' },
  },
  other: 'tag',
}

export const spanStateWords = ['segment', 'prefetch'] as const
export const statusWords = ['ok', 'error'] as const
export const placeWords = ['browser', 'edge', 'server'] as const

/** The keys of the list of traces. Any other key is an attribute of the span, as text or, with a comparison, as a number. */
export const spanFields: FieldTable = {
  fields: {
    is: { kind: 'spanState', says: 'segment (a page view or request), prefetch' },
    route: { kind: 'event', says: 'route pattern, like /items/[id]' },
    op: { kind: 'event', says: 'operation, like http.server or db' },
    duration: { kind: 'duration', says: 'like >500ms or <2s' },
    status: { kind: 'status', says: 'ok or error' },
    release: { kind: 'event', says: 'release of the app' },
    environment: { kind: 'event', says: 'environment' },
    'user.id': { kind: 'event', says: 'user id' },
    place: { kind: 'place', says: 'browser, edge or server' },
    name: { kind: 'event', says: 'name of the span' },
    has: { kind: 'has', says: 'user, replay, release or any attribute' },
    'http.status': { kind: 'count', says: 'status of the response, like >=500' },
    method: { kind: 'event', says: 'GET, POST …' },
    url: { kind: 'event', says: 'address of the page or request' },
    segment: { kind: 'event', says: 'name of the page view or request it belongs to' },
    origin: { kind: 'event', says: 'which instrumentation made it' },
    'browser.name': { kind: 'event', says: 'browser' },
    'os.name': { kind: 'event', says: 'operating system' },
    device: { kind: 'event', says: 'device' },
    'sdk.name': { kind: 'event', says: 'SDK' },
    'sdk.version': { kind: 'event', says: 'SDK version' },
    server_name: { kind: 'event', says: 'host' },
    trace: { kind: 'event', says: 'trace id' },
  },
  other: 'attribute',
}

/** By name, so that a page can tell its search box in the browser which one it speaks. */
export const fieldTables = { issues: issueFields, spans: spanFields } satisfies Record<string, FieldTable>
export type Language = keyof typeof fieldTables

/** What a key of the search language is about, which decides the values it takes. */
export type FieldKind =
  | 'state'
  | 'person'
  | 'level'
  | 'priority'
  | 'text'
  | 'count'
  | 'moment'
  | 'age'
  | 'has'
  | 'event'
  | 'tag'
  | 'duration'
  | 'spanState'
  | 'status'
  | 'place'
  | 'attribute'

/** The keys that one list knows, in the order in which they are suggested. Any other key is of the kind `other`. */
export type FieldTable = {
  fields: Readonly<Record<string, { kind: FieldKind; says: string }>>
  other: FieldKind
}

/** `timesseen` is `timesSeen`: nobody remembers capitals. A tag keeps its spelling. */
export function fieldKey(typed: string, { fields }: FieldTable): string {
  const wanted = typed.toLowerCase()
  return Object.keys(fields).find(key => key.toLowerCase() === wanted) ?? typed
}

export function fieldKind(key: string, { fields, other }: FieldTable): FieldKind {
  return (Object.hasOwn(fields, key) ? fields[key]?.kind : undefined) ?? other
}
