/** Each recorded error of a real app is an issue, a stand-in for the server's error, or control flow of its framework. */
import { expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import type { InboxRecord } from '#inbox/record.ts'
import { noiseRules } from '#react/noise/noise-rules.ts'
import { listFrameworkApps, readFrameworkCaptures } from './read-framework-captures.ts'

const notFound = 'not-found'
const signal = 'framework-signals'
const redacted = 'redacted'
const echo = 'echo of the server’s'

/** Every scenario whose errors are not all issues. */
const notIssues: Readonly<Record<string, string[]>> = {
  'pages-loader-404': [`browser ${notFound}`],
  'remix-action': [`browser ${redacted}`],
  'remix-deferred-error': [`browser ${redacted}`],
  'remix-loader-error': [`browser ${redacted}`],
  'remix-render-error': [`browser ${redacted}`],
  'rr-action-error': [`browser ${redacted}`],
  'rr-bot-404s': [`server ${notFound}`],
  'rr-deferred-error': [`browser ${redacted}`],
  'rr-loader-404-soft': [`browser ${signal}`],
  'rr-loader-error-soft': [`browser ${redacted}`],
  'rr-not-found': [`browser ${notFound}`, `server ${notFound}`],
  'rr-pageload': [`server ${notFound}`], // /favicon.ico
  'rr-skew-lazy': [`server ${notFound}`],
  'rr2-dynamic-error': [`server ${notFound}`],
  'rr3-loader-error-soft': [`browser ${redacted}`],
  'rr3-nested': [`server ${notFound}`],
  'rr3-thrown-responses-soft': [`browser ${signal}`, `server ${notFound}`],
  'rr3b-dynamic-error': [`server ${notFound}`],
  'tss-action-error': [`browser ${echo}`],
  'tss-action-redirect': [`server ${signal}`],
  'tss-deferred-error': [`browser ${redacted}`],
  'tss-loader-404': [`server ${notFound}`],
  'tss-loader-500': [`server ${signal}`], // its status is not sent; that it failed is a second error
  'tss-redirect': [`server ${signal}`],
  'tss-render-error': [`browser ${redacted}`],
  'tss2-action-redirect': [`server ${signal}`],
  'tss2-loader-404': [`server ${notFound}`],
  'tss2-loader-error-document': [`browser ${echo}`],
  'tss2-loader-error-soft': [`browser ${echo}`],
  'tss2-redirect': [`server ${signal}`],
  'tss2-render-error': [`browser ${redacted}`],
  'vite-deferred': [`browser ${redacted}`],
  'waku-mismatch': [`server ${notFound}`], // the scanner went on at another app
  'waku-not-found': [`browser ${redacted}`],
  'waku-server-error': [`browser ${redacted}`],
}
/** Of a new project. */
const dropped = new Set(noiseRules.filter(({ byDefault }) => byDefault === 'on').map(({ id }) => id))

function readErrors(scenario: string, records: readonly InboxRecord[]) {
  const context = { recordId: scenario, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
  return records
    .flatMap(record => processRecord(record, context).groupedEvents)
    .filter(({ kind }) => kind !== 'feedback')
    .map(event => ({
      ...event,
      means:
        event.noise.find(id => dropped.has(id)) ??
        (event.serverError ? (event.serverError.isEcho ? echo : redacted) : 'issue'),
    }))
}

test.each(listFrameworkApps())('errors of %s are issues, unless the framework threw on purpose', app => {
  for (const [scenario, records] of readFrameworkCaptures(app)) {
    const errors = readErrors(scenario, records)
    const others = errors.filter(({ means }) => means !== 'issue').map(({ side, means }) => `${side} ${means}`)
    expect([...new Set(others)].sort(), scenario).toEqual(notIssues[scenario] ?? [])
    for (const { title } of errors.filter(({ means }) => means === 'issue'))
      expect(title, scenario).not.toMatch(/captured as exception|object Response|falsy error|Unexpected Server Error/)
  }
})

test('a response that says that the server failed is an issue by status and route', () => {
  const soft = readFrameworkCaptures('rr').get('rr-loader-404-soft') ?? []
  const thrown = (status: number, path: string) =>
    soft.map(({ head, body }) => ({
      head,
      body: Buffer.from(
        body.toString().replaceAll('"status":404', `"status":${status}`).replaceAll('/loader-404', path),
      ),
    }))
  const issuesOf = (records: InboxRecord[]) => readErrors('thrown', records).filter(({ means }) => means === 'issue')
  const [first, ...more] = issuesOf(thrown(503, '/cart'))
  expect([first?.title, more]).toEqual(['ThrownResponse: status 503 on /cart', []])
  const hashes = [thrown(503, '/cart'), thrown(500, '/cart'), thrown(503, '/items')].map(
    records => issuesOf(records)[0]?.groupHash,
  )
  expect(new Set(hashes).size).toBe(3)
  expect(hashes[0]).toBe(first?.groupHash)
  for (const status of [301, 400, 403, 404, 410, 499]) expect(issuesOf(thrown(status, '/cart'))).toEqual([])
})

test('an error of TanStack Start that comes through the document and a server function is one issue of the app’s frames', () => {
  const scenarios = readFrameworkCaptures('tss')
  const errors = ['tss-loader-error-document', 'tss-loader-error-soft'].flatMap(scenario =>
    readErrors(scenario, scenarios.get(scenario) ?? []).filter(
      ({ side, means }) => side === 'server' && means === 'issue',
    ),
  )
  expect(errors.length).toBeGreaterThan(1)
  expect(new Set(errors.map(({ groupHash }) => groupHash)).size).toBe(1)
})

test('a file of an older build that a server is asked for is deploy skew, as it is in the browser', () => {
  const skews = (app: string, scenario: string) =>
    readErrors(scenario, readFrameworkCaptures(app).get(scenario) ?? []).filter(({ isSkew }) => isSkew)
  const lazy = skews('rr', 'rr-skew-lazy')
  expect(lazy.map(({ side }) => side).sort()).toEqual(['browser', 'server'])
  expect(new Set(lazy.map(({ groupHash, groupVersion }) => `${groupVersion} ${groupHash}`)).size).toBe(1)
  expect(lazy[0]?.title).toBe('DeploySkew: open tabs request files of an old deploy (rr@1)')
  // React Router reloads the page, so no browser reports this one.
  expect(skews('rr', 'rr-skew-route').map(({ side, groupHash }) => [side, groupHash])).toEqual([
    ['server', lazy[0]?.groupHash],
  ])
})

test.each([
  ['astro', 'astro-skew-lazy'],
  ['remix', 'remix-skew-lazy'],
  ['rr', 'rr-skew-lazy'],
  ['tss2', 'tss2-skew-lazy'],
  ['tss2', 'tss2-skew-route'],
  ['vite', 'vite-skew-lazy'],
])('%s: an open tab of an old deploy is one issue of its release (%s)', (app, scenario) => {
  const errors = readErrors(scenario, readFrameworkCaptures(app).get(scenario) ?? [])
  const skews = errors.filter(({ isSkew, side }) => isSkew && side === 'browser')
  expect(skews.length).toBeGreaterThan(0)
  expect(new Set(skews.map(({ groupHash }) => groupHash)).size).toBe(1)
})

test.each([
  ['remix', 'remix-deferred-error', 2],
  ['rr', 'rr-deferred-error', 1],
] as const)(
  '%s: deferred data that fails is one issue, however often the browser reports it',
  (app, scenario, reports) => {
    const errors = readErrors(scenario, readFrameworkCaptures(app).get(scenario) ?? [])
    expect(errors.filter(({ means }) => means === redacted).length).toBe(reports)
    expect(new Set(errors.map(({ groupHash }) => groupHash)).size).toBe(1)
  },
)

test('no title of a recorded hydration error has a value of the visit', () => {
  const titles = listFrameworkApps().flatMap(app =>
    [...readFrameworkCaptures(app)].flatMap(([scenario, records]) =>
      readErrors(scenario, records).flatMap(({ title, side }) => (side === 'both' ? [title] : [])),
    ),
  )
  expect([...new Set(titles)].sort()).toEqual([
    'HydrationError: server and browser text differ',
    'HydrationError: “Rendered by the server at <value>” became “Rendered by the browser at <value>”',
    'HydrationError: “server paragraph” became “browser division”',
  ])
})
