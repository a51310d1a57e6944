/** Questions of fields and functions against the real engine: every word that a dataset knows is SQL that it takes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { countOverTime } from '#domain/explore/count-over-time.ts'
import { errorFields, logFields, spanFields } from '#domain/explore/datasets.ts'
import { type Explored, explore, queryTelemetry } from '#domain/explore/explore.ts'
import { listAttributes } from '#domain/explore/list-attributes.ts'
import { countIssue } from '#domain/issues/count-issue.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { sweepMirror } from '#domain/issues/mirror/write-mirror.ts'
import type { Control } from '#store/control/open-control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'
import { createUuids } from '../create-ids.ts'
import { type Acme, openAcme } from './open-acme.ts'

const now = Date.now()
const hourMs = 3_600_000
const strangerProject = 999
const trace = '0123456789abcdef0123456789abcdef'
const hash = 'a'.repeat(32)
const nextId = createUuids('explore')
let acme: Acme
let telemetry: Telemetry
let control: Control
let viewer: Viewer
let projectId: number
let issueId: number

beforeAll(async () => {
  acme = await openAcme(now)
  ;({ control, telemetry, viewer, projectId } = acme)
  await sowIssue()
  await sweepMirror({ control, telemetry }, { now: Date.now, mayGoOn: async () => true })
  await sowErrors()
  await sowSpans()
  await sowLogs()
})

afterAll(() => acme?.stop())

async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const body = rows.map(row => JSON.stringify(columns.map(column => row[column]))).join('\n')
  expect(await telemetry.insert({ table, columns, body, token: table })).toEqual({ kind: 'done' })
}

async function sowIssue(): Promise<void> {
  const issue = await control.db
    .insertInto('issue')
    .values({
      project_id: projectId,
      number: 7,
      title: 'TypeError: no',
      culprit: '',
      kind: 'error',
      level: 'error',
      status: 'unresolved',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  issueId = issue.id
  await control.db
    .insertInto('issue_hash')
    .values({
      project_id: projectId,
      group_version: 1,
      group_hash: hash,
      issue_id: issueId,
      event_count: 3,
      first_seen: now - 3_000,
      last_seen: now,
      first_release: '',
      last_release: '',
      last_event_id: '',
      user_sketch: new Uint8Array(),
      user_count: 2,
    })
    .execute()
}

const common = (each: number) => ({
  project_id: projectId,
  timestamp: now - (each + 1) * 1_000,
  received_at: now,
  retention_days: 30,
  environment: each % 2 === 0 ? 'production' : 'staging',
  release: 'web@1.0.0',
})

/** Three errors of one issue, one of a stranger's project. The second stands for ten. */
async function sowErrors(): Promise<void> {
  const row = (each: number) => ({
    ...common(each),
    event_id: nextId(),
    weight: each === 1 ? 10 : 1,
    group_version: 1,
    group_hash: hash,
    level: 'error',
    type: 'TypeError',
    title: `TypeError: no such item ${each}`,
    is_handled: each === 0,
    trace_id: trace,
    user_hash: String(1_000 + (each % 2)),
    tags: { plan: each === 2 ? 'gold 100%' : 'free', cart: String(each * 10) },
  })
  await insert('events', [row(0), row(1), row(2), { ...row(0), project_id: strangerProject }])
  await telemetry.command(indexStoredEventsSql('1'))
}

/** Ten spans of 100 to 1,000 ms, the last of them failed; one that carried telemetry. */
async function sowSpans(): Promise<void> {
  const row = (each: number) => ({
    ...common(each),
    timestamp: (now - (each + 1) * 1_000) * 1_000,
    duration_us: (each + 1) * 100_000,
    trace_id: trace,
    span_id: String(each + 1),
    parent_span_id: String(each),
    segment_id: '1',
    is_segment: each === 0,
    segment_name: 'GET /items/[id]',
    name: each === 0 ? 'GET /items/[id]' : `SELECT ${each}`,
    op: each === 0 ? 'http.server' : 'db',
    status: each === 9 ? 'error' : 'ok',
    status_code: each === 0 ? 200 : 0,
    is_sdk_transport: false,
    attributes: { 'db.system': each % 2 === 0 ? 'postgresql' : 'redis' },
    numbers: { rows: each },
  })
  const rows = Array.from({ length: 10 }, (_, each) => row(each))
  await insert('spans', [...rows, { ...row(3), is_sdk_transport: true }, { ...row(3), project_id: strangerProject }])
}

async function sowLogs(): Promise<void> {
  const row = (each: number) => ({
    ...common(each),
    timestamp: (now - (each + 1) * 1_000) * 1_000,
    log_id: nextId(),
    level: each === 0 ? 'error' : 'info',
    severity: each === 0 ? 17 : 9,
    body: each === 0 ? 'payment failed' : `order ${each} placed`,
    trace_id: trace,
    attributes: { 'code.function': 'pay' },
    numbers: { 'code.line.number': 42 },
  })
  await insert('logs', [row(0), row(1), row(2)])
}

type Asked = {
  dataset: string
  fields: string[]
  query?: string
  sort?: string[]
  limit?: number
  offset?: number
  after?: Explored['last']
}

async function ask(asked: Asked): Promise<Explored> {
  const { dataset, fields, query = '', sort = [], limit = 100, offset = 0, after } = asked
  const filter = { from: now - hourMs, to: now + 1 }
  const answer = await explore(viewer, { dataset, fields, query, sort }, filter, {
    limit,
    offset,
    after: after ?? undefined,
  })
  if (!answer.ok) throw new Error(answer.message)
  return answer
}

describe('what the engine answers', () => {
  test.each([
    ['errors', errorFields],
    ['spans', spanFields],
    ['logs', logFields],
  ])('every field of %s can be shown, grouped by and sorted by', async (dataset, known) => {
    const names = Object.keys(known)
    for (let at = 0; at < names.length; at += 25) {
      const fields = names.slice(at, at + 25)
      const { rows } = await ask({ dataset, fields, sort: fields.slice(0, 3) })
      expect(rows.length).toBeGreaterThan(2)
      expect(Object.keys(rows[0] ?? {})).toEqual(fields)
      await ask({ dataset, fields: [...fields, 'count()', 'last_seen()'], sort: ['-count()'] })
    }
  })

  test.each([
    ['errors', ['', '-timestamp', 'timestamp', '-issue.id', 'project.id']],
    ['spans', ['', '-timestamp', '-span.duration', 'span.status_code', '-precise.finish_ts']],
    ['logs', ['', 'timestamp', '-severity_number', '-tags[sentry.timestamp_precise,number]']],
  ])('pages of %s that begin after a row have every row once, also of equal ones', async (dataset, sorts) => {
    for (const word of sorts) {
      const asked = { dataset, fields: ['id'], sort: word === '' ? [] : [word] }
      const whole = await ask(asked)
      const paged: unknown[] = []
      let page = await ask({ ...asked, limit: 1 })
      for (; page.hasMore && paged.length < 20; page = await ask({ ...asked, limit: 1, after: page.last }))
        paged.push(...page.rows.map(({ id }) => id))
      paged.push(...page.rows.map(({ id }) => id))
      expect([word, paged]).toEqual([word, whole.rows.map(({ id }) => id)])
    }
    expect((await ask({ dataset, fields: ['count()'] })).last).toBeNull()
    expect((await ask({ dataset, fields: ['id'], sort: ['release'] })).last).toBeNull()
  })

  test('an issue of which only a sample is stored says that its users are those of the sample', async () => {
    const issue = await findIssue(viewer, issueId)
    if (!issue) throw new Error('no issue')
    expect(await countIssue(viewer, issue, { rangeMs: 3_600_000 })).toMatchObject({
      events: 12,
      users: 2,
      isSampled: true,
    })
    expect(await countIssue(viewer, issue, { rangeMs: 3_600_000, environment: 'production' })).toMatchObject({
      events: 2,
      isSampled: false,
    })
    const { issues } = await listIssues(viewer, { terms: [], rangeMs: 3_600_000, sort: 'users' })
    expect(issues).toMatchObject([{ id: issueId, events: 12, users: 2, isSampled: true }])
  })

  test('counts are sums of weights, of the viewer projects alone', async () => {
    const { rows, types } = await ask({
      dataset: 'errors',
      fields: ['issue', 'issue.id', 'project', 'error.type', 'count()', 'count_unique(user)', 'failure_count()'],
    })
    expect(rows).toEqual([
      {
        issue: 'WEB-7',
        'issue.id': issueId,
        project: 'web',
        'error.type': 'TypeError',
        'count()': 12,
        'count_unique(user)': 2,
        'failure_count()': 11,
      },
    ])
    expect(types['count()']).toBe('integer')
    expect((await ask({ dataset: 'errors', fields: ['count()'], query: 'issue:WEB-7 plan:free' })).rows).toEqual([
      { 'count()': 11 },
    ])
  })

  test('spans have quantiles, rates and conditions on them', async () => {
    const { rows } = await ask({
      dataset: 'spans',
      fields: [
        'span.op',
        'count()',
        'p50(span.duration)',
        'p95()',
        'avg(rows)',
        'sum(span.duration)',
        'failure_rate()',
      ],
      sort: ['-count'],
    })
    expect(rows.map(row => row['span.op'])).toEqual(['db', 'http.server'])
    const [db] = rows
    expect(db?.['count()']).toBe(9)
    expect(db?.['p50(span.duration)']).toBeCloseTo(600, -2)
    expect(Number(db?.['p95()'])).toBeGreaterThan(850)
    expect(db?.['avg(rows)']).toBe(5)
    expect(db?.['sum(span.duration)']).toBe(5_400)
    expect(db?.['failure_rate()']).toBeCloseTo(1 / 9)
    const few = await ask({ dataset: 'spans', fields: ['span.op', 'count()'], query: 'count():<5' })
    expect(few.rows).toEqual([{ 'span.op': 'http.server', 'count()': 1 }])
    const [rates] = (await ask({ dataset: 'spans', fields: ['epm()', 'eps()'] })).rows
    expect(Number(rates?.['epm()'])).toBeCloseTo(10 / 60, 3)
    const counted = await ask({
      dataset: 'spans',
      fields: ['count_if(span.duration,greater,500ms)', 'count_if(db.system,equals,redis)', 'max(timestamp)'],
    })
    expect(counted.rows).toEqual([
      {
        'count_if(span.duration,greater,500ms)': 5,
        'count_if(db.system,equals,redis)': 5,
        'max(timestamp)': new Date(now - 1_000).toISOString(),
      },
    ])
  })

  test('rows are found by id, text, tag, number, duration and time', async () => {
    const found = async (query: string) => (await ask({ dataset: 'spans', fields: ['id'], query })).rows.length
    expect(await found(`trace:${trace}`)).toBe(10)
    expect(await found('id:0000000000000003')).toBe(1)
    expect(await found('span.duration:>=900ms')).toBe(2)
    expect(await found('span.duration:>0.95s')).toBe(1)
    expect(await found('rows:>7')).toBe(2)
    expect(await found('rows:7')).toBe(1)
    expect(await found('db.system:[postgresql, mysql]')).toBe(5)
    expect(await found('!db.system:redis has:rows')).toBe(5)
    expect(await found('span.description:SELECT*')).toBe(9)
    // In its name, or in that of the request that it belongs to.
    expect(await found('"items/[id]"')).toBe(10)
    expect(await found('"SELECT 1"')).toBe(1)
    expect(await found('is_transaction:true')).toBe(1)
    expect(await found('span.op:http.server OR span.duration:>900')).toBe(2)
    expect(await found('span.op:db (db.system:redis OR rows:>7)')).toBe(6)
    expect(await found('!(span.op:db OR span.op:http.server)')).toBe(0)
    expect(await found('timestamp:-5s')).toBe(5)
    expect(await found(`timestamp:>${new Date(now - 2_500).toISOString()}`)).toBe(2)
    expect(await found('project:web environment:staging')).toBe(5)
    expect((await ask({ dataset: 'transactions', fields: ['trace', 'transaction.duration'] })).rows).toEqual([
      { trace, 'transaction.duration': 100 },
    ])
    expect((await ask({ dataset: 'errors', fields: ['plan'], query: 'plan:"gold 100%"' })).rows).toEqual([
      { plan: 'gold 100%' },
    ])
  })

  test('log lines have their text, severity and attributes', async () => {
    const { rows } = await ask({
      dataset: 'ourlogs',
      fields: ['message', 'severity', 'trace', 'code.line.number', 'absent'],
      query: 'severity:error',
    })
    expect(rows).toEqual([
      { message: 'payment failed', severity: 'error', trace, 'code.line.number': '42', absent: null },
    ])
  })

  test('a page ends where the next begins', async () => {
    const page = (offset: number) => ask({ dataset: 'spans', fields: ['id'], limit: 6, offset })
    const [first, second] = [await page(0), await page(6)]
    expect([first.hasMore, second.hasMore]).toEqual([true, false])
    expect(new Set([...first.rows, ...second.rows].map(row => row.id)).size).toBe(10)
  })

  test('a series counts in steps of equal length, by group where asked', async () => {
    const filter = { from: now - hourMs, to: now }
    const query = { dataset: 'spans', query: '', groups: ['span.op'], stepMs: 600_000, topGroups: 5 }
    const answer = await countOverTime(viewer, { ...query, measures: ['count()', 'p95()'] }, filter)
    if (!answer.ok) throw new Error(answer.message)
    expect(answer.series.map(({ group, measure }) => `${group} ${measure}`)).toEqual([
      'db count()',
      'db p95()',
      'http.server count()',
      'http.server p95()',
    ])
    const total = answer.series[0]?.values.reduce((sum, value) => sum + value, 0)
    expect(total).toBe(9)
    expect(answer.times.length).toBe(answer.series[0]?.values.length)
  })

  test('a question that reads too much is refused with a sentence', async () => {
    const query = 'SELECT count() AS c0 FROM numbers(300000000) WHERE number % 7 = 0'
    expect(await queryTelemetry(telemetry, { query, params: {} })).toMatchObject({ ok: false, code: 'too_slow' })
    await expect(queryTelemetry(telemetry, { query: 'SELECT nothing', params: {} })).rejects.toThrow()
  })

  test('attributes are listed with their type', async () => {
    const filter = { from: now - hourMs, to: now + 1 }
    const all = await listAttributes(viewer, 'spans', filter, '')
    expect(all).toContainEqual({ key: 'db.system', type: 'string', isOwn: true })
    expect(all).toContainEqual({ key: 'rows', type: 'number', isOwn: true })
    expect(all).toContainEqual({ key: 'span.duration', type: 'number', isOwn: false })
    expect((await listAttributes(viewer, 'spans', filter, 'SYSTEM')).map(({ key }) => key)).toEqual(['db.system'])
  })
})
