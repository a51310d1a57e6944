/** Pages and states that axe checks, by what they are. */

export const issues = (query: string): string => `/acme/issues?range=30d&q=${encodeURIComponent(query)}`
export const anIssue: RegExp = /^\/acme\/issues\/\d+(?=\?|$)/

/** With an entry, the first link of the page that matches it is opened. */
export type Visit = [what: string, path: string, entry?: RegExp]
/** Which together have most parts, with the list and its peek below. */
export const mostParts: Visit[] = [
  ['a new rule', '/acme/alerts/rules/new?like=new'],
  ['a hydration error', issues('hydration'), anIssue],
]
export const otherPages: Visit[] = [
  ['a trace', '/acme/traces?range=30d', /^\/acme\/traces\/[0-9a-f]{32}/],
  ['issues', issues('is:unresolved')],
  ['logs', '/acme/logs?range=30d'],
  ['a route', '/acme/routes', /^\/acme\/routes\/items[^?]*/],
  ['an issue', issues('TypeError'), anIssue],
  ['project settings', '/acme/projects/shop/settings'],
  ['members', '/acme/settings/members'],
  ['a missing issue', '/acme/issues/NOPE-1'],
  ['no issue', issues('nothing-like-this')],
  ['a search with an error', issues('is:wrong (')],
  ['the events of an issue', '/acme/issues/SHOP-1/events'],
  ['no replays', '/acme/replays'],
  ['a release', '/acme/releases', /^\/acme\/releases\/[^?]+/],
  ['account', '/account'],
  ['no rules', '/acme/alerts'],
  ['no incidents', '/acme/alerts/incidents'],
  ['notifications', '/acme/notifications'],
  ['an issue without events in the range', '/acme/issues/SHOP-1?range=1h&query=plan:none'],
  ['deploy skew', issues('DeploySkew'), anIssue],
  ['an event', '/acme/issues/SHOP-1/events/oldest'],
  ['traces', '/acme/traces?range=30d'],
  ['no trace', '/acme/traces?q=op:nothing'],
  ['live tail', '/acme/logs?live=1'],
  ['log patterns', '/acme/logs/patterns?range=30d'],
  ['no log lines', '/acme/logs?q=nothing-like-this'],
  ['a log search with an error', '/acme/logs?q=level:loud'],
  ['no profiles', '/acme/profiles'],
  ['a missing replay', `/acme/replays/${'0'.repeat(31)}1`],
  ['routes', '/acme/routes'],
  ['releases', '/acme/releases'],
  ['projects', '/acme/projects'],
  ['a project', '/acme/projects/shop'],
  ['a project without events', '/acme/projects/docs'],
  ['filters', '/acme/projects/shop/filters'],
  ['settings', '/acme/settings'],
  ['tokens', '/acme/settings/tokens'],
  ['audit log', '/acme/settings/audit'],
  ['no channels', '/acme/settings/channels'],
  ['new channel', '/acme/settings/channels/new?kind=http-template'],
  ['a missing project', '/acme/issues?project=nope'],
  ['no feedback', '/acme/feedback'],
  ['a page of Sentry', '/acme/crons'],
  ['another organization', '/nobody/issues'],
]
