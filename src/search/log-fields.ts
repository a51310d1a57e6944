import type { FieldTable } from './search-fields.ts'

/** Sentry's spellings, for people and tools that know them. Keys are in lower case. */
const logAliases: Readonly<Record<string, string>> = {
  severity: 'level',
  'log.severity_text': 'level',
  body: 'message',
  'log.body': 'message',
  'message.template': 'template',
  'sentry.message.template': 'template',
  server: 'server_name',
  host: 'server_name',
  'host.name': 'server_name',
  'server.address': 'server_name',
  'http.route': 'route',
  'sentry.release': 'release',
  'sentry.environment': 'environment',
  env: 'environment',
  'sentry.origin': 'origin',
  'sentry.sdk.name': 'sdk.name',
  'sentry.sdk.version': 'sdk.version',
  user: 'user.id',
  trace_id: 'trace',
  'trace.id': 'trace',
  span_id: 'span',
  replayid: 'replay',
  'replay.id': 'replay',
  'sentry.replay_id': 'replay',
  'project.name': 'project',
  'project.id': 'project',
}

/** Events say `warning`, log lines `warn`. */
const logLevelAliases: Readonly<Record<string, string>> = { warning: 'warn', critical: 'fatal', log: 'info' }

/** The keys of the log search. Any other key is an attribute of the line, compared as text or, with `>` and its like, as a number. */
export const logFields: FieldTable = {
  fields: {
    level: { kind: 'severity', description: 'trace, debug, info, warn, error, fatal; >=warn is that and worse' },
    message: { kind: 'text', description: 'text anywhere in the message' },
    route: { kind: 'event', description: 'route pattern, like /items/[id]' },
    release: { kind: 'event', description: 'release of the app; latest is the newest one of each project' },
    environment: { kind: 'event', description: 'environment' },
    server_name: { kind: 'event', description: 'host' },
    side: { kind: 'side', description: 'browser, edge or server' },
    'user.id': { kind: 'event', description: 'user id' },
    has: { kind: 'has', description: 'trace, replay, user or any attribute' },
    trace: { kind: 'event', description: 'trace id' },
    span: { kind: 'event', description: 'span id' },
    replay: { kind: 'event', description: 'replay id' },
    template: { kind: 'event', description: 'message before its values were filled in' },
    pattern: { kind: 'pattern', description: 'lines of one pattern, by its id' },
    origin: { kind: 'event', description: 'auto.log.console for lines of the console' },
    timestamp: { kind: 'time', description: 'time of the line: -24h, >2026-11-15' },
    'sdk.name': { kind: 'event', description: 'SDK' },
    'sdk.version': { kind: 'event', description: 'SDK version' },
    project: { kind: 'project', description: 'project, by its slug' },
  },
  aliases: { place: 'side', ...logAliases },
  valueAliases: { level: logLevelAliases },
  searchesWords: true,
  other: 'attribute',
}
