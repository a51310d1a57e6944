/** Sentry's spellings, for people and tools that know them. Keys are in lower case. */

export const issueAliases: Readonly<Record<string, string>> = {
  times_seen: 'timesSeen',
  first_seen: 'firstSeen',
  last_seen: 'lastSeen',
  first_release: 'firstRelease',
  'first-release': 'firstRelease',
  usercount: 'users',
  user_count: 'users',
  'issue.priority': 'priority',
  assigned_to: 'assigned',
  assignee: 'assigned',
  assigned_or_suggested: 'assigned',
  'assigned_or_suggested.email': 'assigned',
  'error.type': 'type',
  'error.mechanism': 'mechanism',
  'error.value': 'message',
  title: 'message',
  'http.url': 'url',
  'release.version': 'release',
  browser: 'browser.name',
  os: 'os.name',
  'device.family': 'device',
  'platform.name': 'platform',
  'user.name': 'user.username',
  'user.ip_address': 'user.ip',
  env: 'environment',
  'event.timestamp': 'timestamp',
  'event.id': 'id',
  'project.name': 'project',
  'project.id': 'project',
  'issue.type': 'issue.category',
  'event.type': 'issue.category',
  short_id: 'issue',
  'issue.id': 'issue',
  'group.id': 'issue',
  substatus: 'is',
  'issue.substatus': 'is',
  'issue.status': 'is',
  culprit: 'message',
}

export const stateAliases: Readonly<Record<string, readonly string[]>> = {
  ignored: ['archived'],
  muted: ['archived'],
  archived_forever: ['archived'],
  archived_until_escalating: ['archived'],
  archived_until_condition_met: ['archived'],
  for_review: ['new', 'regressed', 'escalating'],
}

const frames = 'Frames of the stack are not indexed. Search the title and the place under it: message:checkout.ts.'
const bookmarks = 'There are no bookmarks. Use assigned:me, or save the search as a view.'
const releases = 'The last release is not searched. Use release:1.2.0 or firstRelease:1.2.0.'

export const unsupportedKeys: Readonly<Record<string, string>> = {
  bookmarks,
  bookmarked_by: bookmarks,
  subscribed: 'There are no subscriptions. Use assigned:me.',
  lastrelease: releases,
  last_release: releases,
  regressed_in_release: 'The release of a regression is not searched. Use is:regressed release:1.2.0.',
  'stack.filename': frames,
  'stack.function': frames,
  'stack.module': frames,
  'stack.package': frames,
  'stack.abs_path': frames,
  'stack.lineno': frames,
  'stack.in_app': frames,
}

/** Sentry's sorts of issues, and their names here. */
export const sentrySorts: Readonly<Record<string, 'urgency' | 'lastSeen' | 'firstSeen' | 'events' | 'users'>> = {
  date: 'lastSeen',
  new: 'firstSeen',
  freq: 'events',
  user: 'users',
  recommended: 'urgency',
  trends: 'urgency',
  priority: 'urgency',
  inbox: 'lastSeen',
}
