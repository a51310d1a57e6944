/** Traces against the real engine: a recorded page load of the shop as a tree, and the list that leads to it. */
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { KeyCursor } from '#domain/events/list-filter.ts'
import { listSearchValues, listTagKeys } from '#domain/issues/list-search-values.ts'
import { listProfiles, type ProfileFilter } from '#domain/profiles/list-profiles.ts'
import { findSpan } from '#domain/traces/find-span.ts'
import { findTrace, type Trace } from '#domain/traces/find-trace.ts'
import { listTraces } from '#domain/traces/list-traces.ts'
import { measureSpans } from '#domain/traces/measure-spans.ts'
import { findUsualDuration } from '#domain/traces/read-segment-facts.ts'
import type { SpanFilter } from '#domain/traces/span-condition.ts'
import { listLooseLogs } from '#domain/traces/trace-logs.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import { spanFields } from '#search/span-fields.ts'
import { encodeRows, insertColumns } from '#store/telemetry/encode-rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'
import { makeRecord, type TestItem } from '../make-record.ts'
import { readCapture } from '../read-capture.ts'
import { readFrameworkCaptures } from '../read-framework-captures.ts'
import { viewAs } from '../view-as.ts'
import { type Acme, openAcme } from './open-acme.ts'

const hourMs = 3_600_000
let acme: Acme
let telemetry: Telemetry
let viewer: Viewer

beforeAll(async () => {
  const recordedAt = readCapture('next-pageload-param/001').head.receivedAt
  acme = await openAcme(recordedAt + hourMs) // what is suggested is of the last day
  ;({ telemetry, viewer } = acme)
  await take('next-pageload-param')
  await take('next-server-component-error')
  await take('next-logs-metrics')
  await telemetry.command(indexStoredEventsSql('1'))
})

afterAll(() => acme?.stop())

/** Every recorded request of a scenario, understood by digest and written as it would be. */
async function take(scenario: string): Promise<void> {
  const files = await readdir(new URL(`../fixtures/captures/${scenario}/`, import.meta.url))
  for (const file of files.filter(name => name.endsWith('.body')).sort()) {
    const name = `${scenario}/${file.slice(0, -5)}`
    const record = readCapture(name)
    const head = { ...record.head, projectId: viewer.projects[0]?.id ?? 0 }
    const context = { recordId: name, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
    const { rows } = processRecord({ ...record, head }, context)
    await store(name, rows)
  }
}

async function store(name: string, rows: ReturnType<typeof processRecord>['rows']): Promise<void> {
  for (const table of ['spans', 'events', 'logs', 'profiles'] as const) {
    const own = rows[table] ?? []
    if (own.length === 0) continue
    const result = await telemetry.insert({
      table,
      columns: insertColumns(table),
      body: encodeRows(table, own as never, name),
      token: `${name}/${table}`,
    })
    if (result.kind !== 'done') throw new Error(result.message)
  }
}

function ask(text: string, more: Partial<SpanFilter> = {}): SpanFilter {
  const parsed = parseSearch(text, languageOf(spanFields))
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
  return { terms: parsed.terms, rangeMs: 90 * 86_400_000, sort: 'newest', ...more }
}
const names = async (text: string, more: Partial<SpanFilter> = {}) =>
  (await listTraces(viewer, ask(text, more))).traces.map(trace => trace.name)

/** Indented names, so that a failing test shows the tree. */
function outline({ tree }: Trace): string[] {
  const lines: string[] = []
  const walk = (nodes: typeof tree.roots, depth: number) => {
    for (const node of nodes) {
      const sign = { span: '', missing: '? ', repeat: `×${node.children.length} `, gap: '~ ' }[node.kind]
      lines.push(`${' '.repeat(depth)}${sign}${node.span?.op ?? ''} ${node.name}`)
      if (node.kind !== 'repeat') walk(node.children, depth + 1)
    }
  }
  walk(tree.roots, 0)
  return lines
}

async function pageLoad(): Promise<Trace> {
  const [found] = (await listTraces(viewer, ask('is:segment op:pageload route:"/items/[id]"'))).traces
  const trace = await findTrace(viewer, found?.traceId ?? '')
  if (!trace) throw new Error('no trace')
  return trace
}

test('a recorded page load is one tree over browser, edge and server', async () => {
  const trace = await pageLoad()
  const lines = outline(trace)
  expect(lines[0]).toBe('pageload /items/:id')
  expect(lines).toContain(' browser.request Request')
  expect(lines).toContain('  http.server GET /items/[id]')
  expect(lines).toContain('    function Page'.replace('    ', '     '))
  // SDK 11 names files by their host.
  expect(lines.some(line => line.includes('resource.script /_next/static/chunks/'))).toBe(true)
  expect(lines.filter(line => line.includes('?'))).toEqual([])
  expect(trace.spanCount).toBe(59)
  expect([...trace.tree.shifts]).toEqual([])
  expect(trace.vitals.map(({ name, rating }) => `${name} ${rating}`)).toEqual([
    'ttfb good',
    'fcp good',
    'lcp good',
    'cls good',
  ])
  expect([...trace.segments.values()].map(segment => segment.ended).filter(Boolean)).toEqual([
    'Ended after 1 s without activity.',
  ])
})

test('errors and log lines are found with their trace', async () => {
  const failed = (await listTraces(viewer, ask('status:error is:segment'))).traces
  const traces = await Promise.all(failed.map(span => findTrace(viewer, span.traceId)))
  expect(traces.some(trace => (trace?.errors.length ?? 0) > 0)).toBe(true)
})

test('a span tells all it carries, and nothing to others', async () => {
  const trace = await pageLoad()
  const [segment] = [...trace.segments.keys()]
  const details = await findSpan(viewer, trace.traceId, segment ?? '')
  expect(Object.keys(details?.attributes ?? {}).length).toBeGreaterThan(5)
  const stranger = viewAs({ control: acme.control, telemetry }, { projects: [999_999], now: viewer.now })
  expect(await findSpan(stranger, trace.traceId, segment ?? '')).toBeNull()
  expect(await findTrace(stranger, trace.traceId)).toBeNull()
  expect(await findTrace(viewer, 'f'.repeat(32))).toBeNull()
  expect(await findTrace(viewer, "' OR 1")).toBeNull()
  expect((await listTraces(stranger, ask(''))).traces).toEqual([])
})

test('what is usual is told where there are enough to tell', async () => {
  const trace = await pageLoad()
  const at = trace.tree.startUs / 1_000
  expect(await findUsualDuration(viewer, { op: 'pageload', name: '/items/:id', at })).toBeNull()
  const usual = await findUsualDuration(viewer, { op: 'resource.script', name: '127.0.0.1', at })
  expect(usual?.count).toBeGreaterThanOrEqual(20)
  expect(usual?.p50Us).toBeLessThanOrEqual(usual?.p95Us ?? 0)
})

test('spans are found by route, operation, duration, status, side, attribute and words', async () => {
  expect(new Set(await names('is:segment route:"/items/[id]" side:server'))).toEqual(new Set(['GET /items/[id]']))
  expect(await names('op:browser.request')).toContain('Request')
  expect((await names('duration:>400ms place:server')).length).toBeGreaterThan(0)
  expect(await names('duration:>400s')).toEqual([])
  expect(new Set(await names('next.span_type:AppRender.getBodyResult'))).toContain('render route (app) /items/[id]')
  expect((await names('browser.web_vital.lcp.value:>100')).length).toBeGreaterThan(0)
  expect(await names('browser.web_vital.lcp.value:>100000')).toEqual([])
  expect(await names('"largest contentful"')).toContain('Largest contentful paint')
  expect(await names('!has:release')).toEqual([])
  expect(await names('http.status:>=500 is:segment', { environment: 'nowhere' })).toEqual([])
  expect(await names('op:http.client POST')).toEqual([])
  const nameless = await names('is:segment')
  expect(nameless.filter(name => /^(RSC )?GET$/.test(name))).toEqual([])
})

test.each(['newest', 'slowest', 'failing'] as const)('pages of the %s hold every trace once', async sort => {
  const pages: Awaited<ReturnType<typeof listTraces>>['traces'][] = []
  let after: KeyCursor | undefined
  do {
    const page = await listTraces(viewer, ask('', { sort, after }))
    pages.push(page.traces)
    after = page.next ?? undefined
  } while (after)
  const traces = pages.flat()
  const keys = traces.map(
    ({ at, durationUs, failedCount }) => ({ newest: at, slowest: durationUs, failing: failedCount })[sort],
  )
  expect(keys).toEqual(keys.toSorted((a, b) => b - a))
  expect(new Set(traces.map(({ traceId }) => traceId)).size).toBe(traces.length)
  const { whole, steps } = await measureSpans(viewer, ask(''))
  expect(traces.reduce((sum, { matchCount }) => sum + matchCount, 0)).toBe(whole.count)
  expect(traces.every(({ matchCount, spanCount }) => spanCount >= matchCount)).toBe(true)
  expect(steps.reduce((sum, step) => sum + (step?.count ?? 0), 0)).toBe(whole.count)
  expect(whole.p50Us).toBeLessThanOrEqual(whole.p95Us)
})

test('a page begins after the trace of its cursor', async () => {
  const all = (await listTraces(viewer, ask(''))).traces
  const [first] = all
  const after = { to: viewer.now, key: (first?.at ?? 0) * 1_000, id: '0'.repeat(32) }
  expect((await listTraces(viewer, ask('', { after }))).traces).toEqual(all.slice(1))
})

test('of nothing nothing is measured', async () => {
  const { whole, steps } = await measureSpans(viewer, ask('nothing-like-it'))
  expect(whole).toEqual({ count: 0, failed: 0, p50Us: 0, p75Us: 0, p95Us: 0 })
  expect(steps.every(step => step === null)).toBe(true)
})

test('values and attributes are suggested from what was received', async () => {
  const values = await listSearchValues(viewer, { of: 'spans', key: 'op', prefix: 'http' })
  expect(values.map(({ value }) => value).sort()).toEqual(['http.client', 'http.server'])
  const keys = await listTagKeys(viewer, 'spans', 'next.span')
  expect(keys.map(({ value }) => value)).toContain('next.span_type')
})

test('log lines whose span was not received are listed, the oldest first', async () => {
  const trace = 'c'.repeat(32)
  const spanless = { span_id: '9'.repeat(16) }
  const lines = ['first', 'second'].map((body, index) => ({
    timestamp: acme.viewer.now / 1_000 + index,
    trace_id: trace,
    level: 'info',
    body,
    attributes: {},
    ...(index === 0 ? spanless : {}),
  }))
  const record = makeRecord(
    [
      {
        type: 'log',
        headers: { item_count: 2, content_type: 'application/vnd.sentry.items.log+json' },
        payload: { items: lines },
      },
    ],
    {},
    { projectId: viewer.projects[0]?.id ?? 0, receivedAt: acme.viewer.now },
  )
  const context = { recordId: 'loose', retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
  await store('loose', processRecord(record, context).rows)
  expect((await listLooseLogs(viewer, trace)).map(({ body }) => body)).toEqual(['first', 'second'])
})

test('an attribute that is a number is found by its presence, its value and a comparison', async () => {
  const at = viewer.now / 1_000 - 60
  const attributes = {
    'sentry.op': { type: 'string', value: 'gen_ai.chat' },
    'gen_ai.usage.total_tokens': { type: 'integer', value: 42 },
    'gen_ai.request.temperature': { type: 'double', value: 0.5 },
    'gen_ai.system': { type: 'string', value: '42' },
  }
  const span = { trace_id: '4'.repeat(32), span_id: '4'.repeat(16), name: 'tokens', status: 'ok', is_segment: true }
  const items = [{ ...span, start_timestamp: at, end_timestamp: at + 1, attributes }]
  const headers = { item_count: 1, content_type: 'application/vnd.sentry.items.span.v2+json' }
  const record = makeRecord(
    [{ type: 'span', headers, payload: { version: 2, items } }],
    {},
    { projectId: viewer.projects[0]?.id ?? 0, receivedAt: viewer.now },
  )
  const context = { recordId: 'tokens', retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
  await store('tokens', processRecord(record, context).rows)
  for (const [text, isFound] of [
    ['has:gen_ai.usage.total_tokens', true],
    ['!has:gen_ai.usage.total_tokens name:tokens', false],
    ['has:gen_ai.usage.cached', false],
    ['has:gen_ai.system', true],
    ['gen_ai.usage.total_tokens:42', true],
    ['gen_ai.usage.total_tokens:43', false],
    ['!gen_ai.usage.total_tokens:42 name:tokens', false],
    ['gen_ai.usage.total_tokens:[41,42]', true],
    ['gen_ai.usage.total_tokens:>10', true],
    ['gen_ai.request.temperature:0.5', true],
    ['gen_ai.system:42', true],
  ] as const)
    expect((await names(text)).includes('tokens'), text).toBe(isFound)
})

test('what Node and browsers have profiled is listed, if its samples were received', async () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../fixtures/profiles/${name}.json`, import.meta.url), 'utf8'))
  const ask = (more: Partial<ProfileFilter> = {}): ProfileFilter => ({
    terms: [],
    rangeMs: hourMs,
    sort: 'newest',
    to: sentAt,
    ...more,
  })
  const chunk = read('node-chunk')
  const sentAt = Math.round(chunk.profile.samples[0].timestamp * 1e3) + 60_000
  const send = async (name: string, items: TestItem[]) => {
    const record = makeRecord(items, {}, { projectId: viewer.projects[0]?.id ?? 0, receivedAt: sentAt })
    const context = { recordId: name, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
    await store(name, processRecord(record, context).rows)
  }
  const headers = { item_count: 3, content_type: 'application/vnd.sentry.items.span.v2+json' }
  await send('profiled', [{ type: 'span', headers, payload: read('node-spans') }])
  // A slower request of the same process, and so of the same profiler.
  const later = read('node-spans')
  for (const span of later.items) {
    span.trace_id = 'd'.repeat(32)
    span.end_timestamp += 1
  }
  await send('profiled later', [{ type: 'span', headers, payload: later }])
  expect((await listProfiles(viewer, ask())).profiles).toEqual([])
  await send('sampled', [{ type: 'profile_chunk', headers: { platform: 'node' }, payload: chunk }])
  const { profiles, next } = await listProfiles(viewer, ask({ sort: 'slowest' }))
  expect(profiles).toMatchObject([
    { traceId: 'd'.repeat(32), route: '/items/[id]' },
    {
      ...{ traceId: 'f518631c346e473db07eb4bd7a3693ca', spanId: '8a2d873237708c50', route: '/items/[id]' },
      ...{ platform: 'node', side: 'server', release: 'shop@1.0.0', environment: 'production' },
    },
  ])
  expect(next).toBeNull()
  const [found] = profiles
  const after = { to: sentAt, key: (found?.at ?? 0) * 1_000 + 999, id: 'f'.repeat(16) }
  expect((await listProfiles(viewer, ask({ after }))).profiles).toHaveLength(2)
  expect((await listProfiles(viewer, ask({ after: { ...after, key: after.key - 1_000 } }))).profiles).toEqual([])
  for (const [text, count] of [
    ['has:profile', 2],
    ['has:profile duration:<1s', 1],
    ['route:/elsewhere', 0],
  ] as const) {
    const parsed = parseSearch(text, languageOf(spanFields))
    expect((await listProfiles(viewer, ask({ terms: parsed.terms }))).profiles, text).toHaveLength(count)
  }
})

test('a navigation leads to the trace of the page view before it', async () => {
  await take('next-navigation')
  const [found] = (await listTraces(viewer, ask('has:sentry.previous_trace'))).traces
  const trace = await findTrace(viewer, found?.traceId ?? '')
  const [previous] = [...(trace?.segments.values() ?? [])].flatMap(segment => segment.previous ?? [])
  expect(previous?.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(previous?.traceId).not.toBe(trace?.traceId)
  expect((await findTrace(viewer, previous?.traceId ?? ''))?.spanCount).toBeGreaterThan(0)
})

test('requests of server functions and pages without a route have the best name that the trace knows', async () => {
  for (const [app, scenario] of [
    ['tss', 'tss-action-ok'],
    ['waku', 'waku-action'],
    ['waku', 'waku-not-found'],
  ] as const)
    for (const [at, record] of (readFrameworkCaptures(app).get(scenario) ?? []).entries()) {
      const context = { recordId: `${scenario} ${at}`, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
      const head = { ...record.head, projectId: viewer.projects[0]?.id ?? 0 }
      const { rows } = processRecord({ ...record, head }, context)
      const unmatched = rows.spans?.map(row =>
        row.is_segment && row.route === '' ? { ...row, route: '(unmatched)' } : row,
      )
      await store(`${scenario} ${at}`, { ...rows, ...(unmatched && { spans: unmatched }) })
    }
  const to = Date.parse('2026-11-20')
  const named = async (text: string) => [
    ...new Set((await listTraces(viewer, ask(text, { to }))).traces.map(({ name }) => name)),
  ]
  expect(await named('url:*_serverFn* op:http.server')).toEqual(['POST /_serverFn/save'])
  expect((await named('url:*/RSC/* op:http.server')).sort()).toEqual([
    'GET /RSC/R/404.txt',
    'GET /RSC/R/gone.txt',
    'POST /RSC/F/1b65654b4e6a/save.txt',
  ])
  expect((await named('op:pageload sdk.name:sentry.javascript.react')).sort()).toEqual(['/', '/gone', '/items/3'])
})
