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
 * The keys of the issue search. `state` and `assignee` are properties of the issue, `text` its title, `count` its counters,
 * `moment` and `age` its times; `event` keys search single events. Any other key is a tag.
 */
export const issueFields: FieldTable = {
  fields: {
    is: { kind: 'state', description: 'state of the issue' },
    assigned: { kind: 'assignee', description: 'me, none, an email address or #team' },
    level: { kind: 'level', description: 'fatal, error, warning, info, debug' },
    release: { kind: 'event', description: 'release of the event' },
    route: { kind: 'event', description: 'route pattern, like /items/[id]' },
    environment: { kind: 'event', description: 'environment of the event' },
    has: { kind: 'has', description: 'release, user, replay, trace or any tag' },
    timesSeen: { kind: 'count', description: 'events in the time range, like >100' },
    users: { kind: 'count', description: 'users in the time range, like >5' },
    firstSeen: { kind: 'moment', description: '-24h, +7d or a date' },
    lastSeen: { kind: 'moment', description: '-24h, +7d or a date' },
    age: { kind: 'age', description: 'since first seen, like -24h or >7d' },
    priority: { kind: 'priority', description: 'high, medium, low' },
    type: { kind: 'event', description: 'error type' },
    message: { kind: 'text', description: 'text in the title' },
    transaction: { kind: 'event', description: 'transaction name as sent by the SDK' },
    url: { kind: 'event', description: 'URL of the page or request' },
    'browser.name': { kind: 'event', description: 'browser' },
    'browser.version': { kind: 'event', description: 'browser version' },
    'os.name': { kind: 'event', description: 'operating system' },
    'os.version': { kind: 'event', description: 'operating system version' },
    device: { kind: 'event', description: 'device' },
    'user.id': { kind: 'event', description: 'user id' },
    'user.email': { kind: 'event', description: 'email address of the user' },
    'user.username': { kind: 'event', description: 'username' },
    'user.ip': { kind: 'event', description: 'IP address of the user' },
    mechanism: { kind: 'event', description: 'how the error was caught' },
    platform: { kind: 'event', description: 'platform of the event' },
    'sdk.name': { kind: 'event', description: 'SDK' },
    'sdk.version': { kind: 'event', description: 'SDK version' },
    server_name: { kind: 'event', description: 'host that sent the event' },
    dist: { kind: 'event', description: 'distribution of the release' },
    trace: { kind: 'event', description: 'trace id' },
  },
  other: 'tag',
}

export const spanStateWords = ['segment', 'prefetch'] as const
export const statusWords = ['ok', 'error'] as const
export const sideWords = ['browser', 'edge', 'server'] as const

/** The keys of the span search. Any other key is a span attribute, compared as text or, with `>` and its like, as a number. */
export const spanFields: FieldTable = {
  fields: {
    is: { kind: 'spanState', description: 'segment (a page view or request), prefetch' },
    route: { kind: 'event', description: 'route pattern, like /items/[id]' },
    op: { kind: 'event', description: 'operation, like http.server or db' },
    duration: { kind: 'duration', description: 'like >500ms or <2s' },
    status: { kind: 'status', description: 'ok or error' },
    release: { kind: 'event', description: 'release of the app' },
    environment: { kind: 'event', description: 'environment' },
    'user.id': { kind: 'event', description: 'user id' },
    side: { kind: 'side', description: 'browser, edge or server' },
    name: { kind: 'event', description: 'name of the span' },
    has: { kind: 'has', description: 'user, replay, release or any attribute' },
    'http.status': { kind: 'count', description: 'response status code, like >=500' },
    method: { kind: 'event', description: 'GET, POST …' },
    url: { kind: 'event', description: 'URL of the page or request' },
    segment: { kind: 'event', description: 'page view or request that the span belongs to' },
    origin: { kind: 'event', description: 'instrumentation that created the span' },
    'browser.name': { kind: 'event', description: 'browser' },
    'os.name': { kind: 'event', description: 'operating system' },
    device: { kind: 'event', description: 'device' },
    'sdk.name': { kind: 'event', description: 'SDK' },
    'sdk.version': { kind: 'event', description: 'SDK version' },
    server_name: { kind: 'event', description: 'host' },
    trace: { kind: 'event', description: 'trace id' },
  },
  aliases: { place: 'side' },
  other: 'attribute',
}

/** By name, so that a server component can pass the choice to its search box in the browser. */
export const fieldTables = { issues: issueFields, spans: spanFields } satisfies Record<string, FieldTable>
export type Language = keyof typeof fieldTables

/** Decides which values a key takes. */
export type FieldKind =
  | 'state'
  | 'assignee'
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
  | 'side'
  | 'attribute'

/** The keys of one list, in the order in which they are suggested. Any other key has the kind `other`. */
export type FieldTable = {
  fields: Readonly<Record<string, { kind: FieldKind; description: string }>>
  /** Older names that keep working in saved searches and links; they are not suggested. */
  aliases?: Readonly<Record<string, string>>
  other: FieldKind
}

/** Resolves aliases and ignores case: `timesseen` is `timesSeen`. A tag keeps its spelling. */
export function fieldKey(typed: string, { fields, aliases = {} }: FieldTable): string {
  const wanted = typed.toLowerCase()
  if (Object.hasOwn(aliases, wanted)) return aliases[wanted] ?? typed
  return Object.keys(fields).find(key => key.toLowerCase() === wanted) ?? typed
}

export function fieldKind(key: string, { fields, other }: FieldTable): FieldKind {
  return (Object.hasOwn(fields, key) ? fields[key]?.kind : undefined) ?? other
}
