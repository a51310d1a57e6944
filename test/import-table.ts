/**
 * The folders of `src/` and what each may import: imports only point down. `docs/start-here.md` prints this table, and
 * `architecture.test.ts` checks both against each other and against the code. A folder that is not here may not exist.
 */
export type Room = { holds: string; imports: readonly string[] }

const domain = (holds: string, ...imports: string[]): Room => ({
  holds,
  imports: [...imports.map(name => `domain/${name}`), 'lib', 'protocol', 'store', ...pure],
})
const pure = ['grouping', 'react', 'search', 'symbolication']

export const importTable: Record<string, Room> = {
  lib: {
    holds: 'helpers without knowledge of the product; `outbound/`: requests and mail to other servers',
    imports: [],
  },
  protocol: { holds: 'the Sentry wire: envelopes, items, DSN, auth, rate-limit headers; pure', imports: ['lib'] },
  engine: { holds: 'the embedded ClickHouse: HTTP interface, `native/`, `wasm/` (fallback)', imports: ['lib'] },
  inbox: { holds: 'the durable queue: append with a shared sync, read, seal', imports: ['lib'] },
  store: {
    holds: '`control/`, `telemetry/`, `blobs/`: interface, one file per engine, migrations',
    imports: ['lib', 'protocol', 'engine'],
  },
  react: {
    holds: 'what we know about React and Next.js: routes, hydration, deploy skew, noise; pure',
    imports: ['lib', 'protocol'],
  },
  grouping: { holds: 'fingerprints and titles, by version; pure', imports: ['lib', 'protocol', 'react'] },
  scrubbing: { holds: 'removal of private data; pure', imports: ['lib', 'protocol'] },
  search: { holds: 'the search language of lists, with one table of fields for each; pure', imports: ['lib'] },
  symbolication: {
    holds: 'finds and reads uploaded source maps, on a thread of its own',
    imports: ['lib', 'protocol', 'store'],
  },
  'hydration-helper': { holds: 'the script that customers put on their pages', imports: ['lib'] },
  'replay-player': { holds: 'the document that plays recordings: its policy and its script', imports: [] },
  'domain/access': domain('viewers, roles and permissions: the one table', 'tokens'),
  'domain/audit': domain('the audit log', 'access'),
  'domain/cache': domain('queries whose result is cached for a while', 'access'),
  'domain/tokens': domain('auth tokens and their scopes', 'access', 'audit', 'sign-in'),
  'domain/sign-in': domain('passwords, second factors, one-time links, sessions, single sign-on', 'access', 'audit'),
  'domain/members': domain('users, members and teams', 'access', 'audit', 'issues', 'sign-in'),
  'domain/projects': domain('organizations, projects and DSN keys', 'access', 'audit', 'members', 'sign-in', 'tokens'),
  'domain/filters': domain('inbound filters', 'access', 'audit', 'events'),
  'domain/issues': domain(
    'the life of an issue: counters, status, regression, escalation, merge, list',
    'access',
    'audit',
    'cache',
    'events',
    'logs',
    'members',
    'replays',
    'traces',
  ),
  'domain/events': domain(
    'one event: its stack, context and linked server error',
    'access',
    'cache',
    'issues',
    'releases',
    'traces',
  ),
  'domain/explore': domain('queries of fields and functions: parse, plan, SQL', 'access', 'events', 'issues'),
  'domain/traces': domain('spans and traces; `tree/` orders them', 'access', 'cache', 'events', 'explore', 'issues'),
  'domain/logs': domain(
    'log lines: search, counts, context, patterns, live tail',
    'access',
    'cache',
    'events',
    'releases',
    'traces',
  ),
  'domain/replays': domain(
    'replays: list, timeline, recordings without what could run, what the user did',
    'access',
    'audit',
    'events',
    'issues',
    'logs',
    'traces',
  ),
  'domain/routes': domain('routes and their measurements', 'access', 'cache', 'events', 'profiles'),
  'domain/releases': domain('releases, commits and deploys', 'access', 'audit', 'cache', 'events', 'issues'),
  'domain/findings': domain(
    'what changed and for whom, in a sentence: candidates from facts, ranked',
    'access',
    'cache',
    'events',
    'issues',
    'releases',
    'routes',
  ),
  'domain/artifacts': domain('uploads of source maps', 'access', 'audit', 'releases'),
  'domain/channels': domain('where alerts go: channel kinds, outbox, delivery', 'access', 'audit', 'projects'),
  'domain/privacy': {
    ...domain('own scrubbing rules, and the deletion of a user’s data', 'access', 'audit'),
    imports: [...domain('', 'access', 'audit').imports, 'scrubbing'],
  },
  'domain/feedback': domain(
    'what users write: lists, the error behind a message',
    'access',
    'events',
    'issues',
    'traces',
  ),
  'domain/profiles': domain('profiles: read, cut to a span, drawn and exported', 'access', 'events', 'traces'),
  'domain/views': domain('saved views of lists', 'access', 'audit'),
  'domain/monitors': domain('check-ins of cron monitors'),
  'domain/alerts': domain(
    'rules, detectors, incidents and notifications: who hears of what, and how often',
    'access',
    'audit',
    'channels',
    'events',
    'explore',
    'issues',
    'members',
    'projects',
    'releases',
    'routes',
    'traces',
  ),
  metrics: { holds: 'the counters that `/metrics` prints', imports: ['lib'] },
  config: { holds: 'the only reader of the environment', imports: ['lib'] },
  runtime: { holds: 'the stores of the web process', imports: ['lib', 'config', 'store'] },
  ingest: { holds: 'the endpoints for SDKs', imports: ['lib', 'protocol', 'inbox', 'metrics'] },
  digest: {
    holds: 'the pipeline from an inbox record to stored rows; `items/` has a folder for each item type',
    imports: ['lib', 'protocol', 'inbox', 'store', 'grouping', 'scrubbing', 'react', 'symbolication', 'domain'],
  },
  jobs: {
    holds: 'maintenance, retention, reconciliation',
    imports: ['lib', 'protocol', 'store', 'grouping', 'react', 'domain', 'metrics'],
  },
  ui: { holds: 'components', imports: ['lib'] },
  web: {
    holds: 'sessions, guards, live updates, the web process',
    imports: ['lib', 'protocol', 'store', 'search', 'symbolication', 'domain', 'runtime', 'config', 'replay-player'],
  },
  api: {
    holds: '`/api/0`: the router, its table of routes, a folder of handlers and serializers for each subject',
    imports: ['lib', 'protocol', 'store', 'search', 'domain', 'web', 'runtime'],
  },
  app: { holds: 'the routes of Next.js', imports: ['lib', 'search', 'domain', 'web', 'api', 'ui', 'runtime'] },
  supervisor: {
    holds: 'the main process: children, HTTP front, `/metrics`',
    imports: [
      'lib',
      'protocol',
      'config',
      'metrics',
      'engine',
      'hydration-helper',
      'inbox',
      'ingest',
      'digest',
      'jobs',
      'store',
    ],
  },
  cli: {
    holds:
      '`hydrant start, init, user, erase-user, login-link, token, audit, alerts, tail, migrate, secrets, seed, demo, compile, doctor`',
    imports: [
      'lib',
      'protocol',
      'react',
      'search',
      'symbolication',
      'config',
      'store',
      'engine',
      'inbox',
      'digest',
      'jobs',
      'domain',
      'supervisor',
    ],
  },
  instrumentation: { holds: 'reports errors of the pages to Hydrant itself', imports: ['lib', 'web', 'runtime'] },
  main: { holds: 'starts the supervisor', imports: ['engine', 'supervisor'] },
  dev: {
    holds: '`npm run dev`: what replaces parts of main and web while Hydrant is developed; nothing imports it',
    imports: ['lib', 'config', 'engine', 'supervisor', 'web', 'cli', 'bin'],
  },
}

/** The table as `docs/start-here.md` prints it. */
export const printTable = (): string =>
  [
    '| folder | holds | imports |',
    '|---|---|---|',
    ...Object.entries(importTable).map(
      ([name, { holds, imports }]) => `| \`${name}\` | ${holds} | ${imports.length === 0 ? '–' : imports.join(', ')} |`,
    ),
  ].join('\n')
