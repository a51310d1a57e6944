import type { FieldTable } from './field-table.ts'

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
