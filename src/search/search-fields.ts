import { issueAliases, stateAliases, unsupportedKeys } from './sentry-words.ts'

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
export const flagWords = ['true', 'false'] as const

/**
 * The keys of the issue search. `state`, `assignee` and `firstRelease` are properties of the issue, `text` its title, `count` its counters,
 * `moment` and `age` its times; `event` keys search single events. Any other key is a tag.
 */
export const issueFields: FieldTable = {
  fields: {
    is: { kind: 'state', description: 'state of the issue' },
    assigned: { kind: 'assignee', description: 'me, none, an email address or #team' },
    level: { kind: 'level', description: 'fatal, error, warning, info, debug' },
    release: { kind: 'event', description: 'release of the event; latest is the newest one of each project' },
    firstRelease: { kind: 'firstRelease', description: 'release of the first event of the issue, or latest' },
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
    'error.handled': { kind: 'flag', description: 'true if the app caught the error' },
    'error.unhandled': { kind: 'flag', description: 'true if the error was not caught' },
    transaction: { kind: 'event', description: 'transaction name as sent by the SDK' },
    url: { kind: 'event', description: 'URL of the page or request' },
    'browser.name': { kind: 'event', description: 'browser' },
    'browser.version': { kind: 'event', description: 'browser version' },
    'os.name': { kind: 'event', description: 'operating system' },
    'os.version': { kind: 'event', description: 'operating system version' },
    device: { kind: 'event', description: 'device' },
    user: { kind: 'event', description: 'id, email address, username or IP address of the user' },
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
    timestamp: { kind: 'time', description: 'time of the event: -24h, >2026-11-15' },
    id: { kind: 'eventId', description: 'event id' },
    project: { kind: 'project', description: 'project, by its slug' },
    issue: { kind: 'issue', description: 'short id of an issue, like WEB-42, or its id' },
    'issue.category': { kind: 'category', description: 'error or feedback; without it, lists have no feedback' },
  },
  aliases: issueAliases,
  stateAliases,
  unsupported: unsupportedKeys,
  other: 'tag',
}

export const spanStateWords = ['segment', 'prefetch'] as const
export const statusWords = ['ok', 'error'] as const
export const sideWords = ['browser', 'edge', 'server'] as const

/** From the least to the most severe, so that `level:>=warn` has a meaning. */
export const severityWords = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** Decides which values a key takes. */
export type FieldKind =
  | 'state'
  | 'assignee'
  | 'firstRelease'
  | 'level'
  | 'priority'
  | 'text'
  | 'count'
  | 'moment'
  | 'age'
  | 'has'
  | 'event'
  | 'flag'
  | 'time'
  | 'eventId'
  | 'project'
  | 'issue'
  | 'shortId'
  | 'category'
  | 'tag'
  | 'duration'
  | 'spanState'
  | 'status'
  | 'side'
  | 'attribute'
  | 'severity'
  | 'pattern'
  | 'unsupported'

const eventKinds = new Set<FieldKind>(['event', 'tag', 'has', 'flag', 'time', 'eventId'])

/** The keys of a search among the events of one issue. */
export const eventFields: FieldTable = {
  ...issueFields,
  fields: Object.fromEntries(
    Object.entries(issueFields.fields).filter(([key, { kind }]) => key === 'level' || eventKinds.has(kind)),
  ),
}

/** Whether a search among the events of one issue knows the key. In a list of issues, `level` is that of the issue. */
export const isKeyOfEvents = (key: string): boolean => key === 'level' || isEventKey(key)

/** Whether single events are searched, and not the issue as a whole. */
export const isEventKey = (key: string): boolean => eventKinds.has(fieldKind(key, issueFields))

type Words = Readonly<Record<string, string>>

/** The keys of one list, in the order in which they are suggested. Any other key has the kind `other`. */
export type FieldTable = {
  fields: Readonly<Record<string, { kind: FieldKind; description: string }>>
  /** Older names, and Sentry's, in lower case: they keep working in saved searches and links, and are not suggested. */
  aliases?: Words
  /** Sentry's words for states, and what they mean here. */
  stateAliases?: Readonly<Record<string, readonly string[]>>
  /** Other words for values of a key. */
  valueAliases?: Readonly<Record<string, Words>>
  /** Free text is searched as whole words (`text-words.ts`), not as a part of a text. */
  searchesWords?: true
  /** Keys that Sentry has and this list cannot search, with the reason. */
  unsupported?: Words
  other: FieldKind
}

const own = (words: Words | undefined, key: string): string | undefined =>
  words && Object.hasOwn(words, key) ? words[key] : undefined

/**
 * Resolves aliases and ignores case: `timesseen` is `timesSeen`. A tag keeps its spelling; `tags[level]` is the tag of that name, not
 * the field.
 */
export function fieldKey(typed: string, table: FieldTable): string {
  const tag = tagName(typed)
  if (tag !== typed) return fieldKey(tag, table) === tag && fieldKind(tag, table) === table.other ? tag : typed
  const wanted = typed.toLowerCase()
  return own(table.aliases, wanted) ?? Object.keys(table.fields).find(key => key.toLowerCase() === wanted) ?? typed
}

export function fieldKind(key: string, { fields, other, unsupported }: FieldTable): FieldKind {
  if (Object.hasOwn(fields, key)) return fields[key]?.kind ?? other
  return own(unsupported, key.toLowerCase()) === undefined ? other : 'unsupported'
}

/** The name in `tags[name]`; any other key is the name itself. */
export const tagName = (key: string): string => /^tags\[(.+)\]$/s.exec(key)?.[1] ?? key

/** The key that finds a tag or field of events by its own name, although a search may read the name in another way. */
export function keyOfName(name: string, table: FieldTable): string {
  const isRead = fieldKey(name, table) === name && fieldKind(name, table) !== 'unsupported'
  return isRead ? name : `tags[${name}]`
}
