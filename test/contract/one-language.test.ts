/** A word of a search means the same in a list, in the number of a rule and in the API: each counts the same rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measureAt } from '#domain/alerts/measure.ts'
import { type Metric, metricSchema } from '#domain/alerts/metric.ts'
import { metricPresets } from '#domain/alerts/metric-words.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { findUnknownKeys } from '#domain/alerts/unknown-keys.ts'
import { explore } from '#domain/explore/explore.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { sweepMirror } from '#domain/issues/mirror/write-mirror.ts'
import { countLogs } from '#domain/logs/count-logs.ts'
import { measureSpans } from '#domain/traces/measure-spans.ts'
import { logFields } from '#search/log-fields.ts'
import { parseSearch } from '#search/parse-search.ts'
import { type FieldTable, fieldKey, issueFields } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { spanFields } from '#search/span-fields.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'
import { createUuids } from '../create-ids.ts'
import { type Acme, openAcme } from './open-acme.ts'

const minuteMs = 60_000
const now = Math.floor(Date.now() / minuteMs) * minuteMs
const hourMs = 60 * minuteMs
const nextId = createUuids('one language')
const traces = { gold: '1'.repeat(32), plain: '2'.repeat(32) }
const replays = { gold: '3'.repeat(32), plain: '0'.repeat(32) }
let acme: Acme

beforeAll(async () => {
  acme = await openAcme(now)
  await sow()
})
afterAll(() => acme?.stop())

async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const body = rows.map(row => JSON.stringify(columns.map(column => row[column]))).join('\n')
  expect(await acme.telemetry.insert({ table, columns, body, token: table })).toEqual({ kind: 'done' })
}

type Group = 'gold' | 'plain'
/** Three rows are gold, two are plain, and nothing that they say of themselves is the same. */
const sizes: Record<Group, number> = { gold: 3, plain: 2 }
const eachRow = (make: (group: Group, at: number) => Record<string, unknown>) =>
  (['gold', 'plain'] as const).flatMap((group, half) =>
    Array.from({ length: sizes[group] }, (_, index) => make(group, now - (half * 10 + index + 1) * 1_000)),
  )

const common = (group: Group) => ({
  project_id: acme.projectId,
  retention_days: 30,
  environment: `${group}-env`,
  release: `${group}@1`,
  route: `/${group}/[id]`,
  server_name: `${group}-host`,
  sdk_name: `sentry.javascript.${group}`,
  sdk_version: group === 'gold' ? '9.1.0' : '8.0.0',
  user_id: group === 'gold' ? 'gold-user' : '',
  user_hash: group === 'gold' ? '11' : '0',
  trace_id: traces[group],
  replay_id: replays[group],
})

async function sow(): Promise<void> {
  const { control, telemetry, projectId } = acme
  for (const [index, group] of (['gold', 'plain'] as const).entries()) {
    const level = group === 'gold' ? 'fatal' : 'warning'
    const { id } = await control.db
      .insertInto('issue')
      .values({
        ...{
          project_id: projectId,
          number: index + 7,
          title: `${group}Error: ${group} words`,
          culprit: `/${group}/[id]`,
        },
        ...{ kind: 'error', level, status: 'unresolved', created_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await control.db
      .insertInto('issue_hash')
      .values({
        ...{
          project_id: projectId,
          group_version: 1,
          group_hash: hashOf(group),
          issue_id: id,
          event_count: sizes[group],
        },
        ...{ first_seen: now - hourMs, last_seen: now, first_release: '', last_release: '', last_event_id: '' },
        ...{ user_sketch: new Uint8Array(), user_count: 1 },
      })
      .execute()
    await control.db
      .insertInto('project_release')
      .values({ project_id: projectId, version: `${group}@1`, first_seen: now - index * hourMs } as never)
      .execute()
  }
  await sweepMirror({ control, telemetry }, { now: Date.now, mayGoOn: async () => true })
  await insert(
    'events',
    eachRow((group, at) => ({
      ...common(group),
      ...{ event_id: nextId(), timestamp: at, received_at: at, weight: 1, group_version: 1, group_hash: hashOf(group) },
      ...{
        level: group === 'gold' ? 'fatal' : 'warning',
        type: `${group}Error`,
        title: `${group}Error: ${group} words`,
      },
      ...{
        culprit: `/${group}/[id]`,
        route_raw: `GET /${group}/1`,
        url: `https://shop.test/${group}`,
        is_handled: group === 'gold',
      },
      ...{
        browser_name: `${group} browser`,
        browser_version: `${group}.1`,
        os_name: `${group} os`,
        os_version: `${group}.2`,
      },
      ...{
        device: `${group} phone`,
        user_email: `${group}@x.test`,
        user_name: `${group} name`,
        user_ip: group === 'gold' ? '1.1.1.1' : '2.2.2.2',
      },
      ...{ mechanism: `${group}-mechanism`, platform: group === 'gold' ? 'node' : 'javascript', dist: `${group}-dist` },
      tags: { plan: group, [`only-${group}`]: '1' },
    })),
  )
  await telemetry.command(indexStoredEventsSql('1'))
  await insert(
    'spans',
    eachRow((group, at) => ({
      ...common(group),
      ...{ timestamp: at * 1_000, received_at: at, weight: 1, span_id: String(at), segment_id: '1' },
      ...{ duration_us: group === 'gold' ? 2_000_000 : 10_000, is_segment: group === 'gold', is_prefetch: false },
      ...{ op: `${group}.op`, status: group === 'gold' ? 'error' : 'ok', status_code: group === 'gold' ? 503 : 200 },
      ...{ name: `${group} name`, segment_name: `GET /${group}`, method: group === 'gold' ? 'POST' : 'GET' },
      ...{
        url: `https://shop.test/${group}`,
        origin: `auto.${group}`,
        platform: group === 'gold' ? 'node' : 'javascript',
      },
      ...{ browser_name: `${group} browser`, os_name: `${group} os`, device: `${group} phone` },
      profiler_id: group === 'gold' ? traces.gold : replays.plain,
      attributes: { plan: group, [`only-${group}`]: '1' },
      numbers: { rows: group === 'gold' ? 70 : 2, [`n-${group}`]: 1 },
    })),
  )
  await insert(
    'logs',
    eachRow((group, at) => ({
      ...common(group),
      ...{ log_id: nextId(), timestamp: at * 1_000, received_at: at, weight: 1 },
      ...{ level: group === 'gold' ? 'warn' : 'info', severity: group === 'gold' ? 13 : 9 },
      ...{ body: `the ${group} order failed`, template: `the {} ${group}`, origin: `auto.${group}` },
      ...{ span_id: group === 'gold' ? '10' : '11', pattern: group === 'gold' ? '12' : '13' },
      sdk_name: group === 'gold' ? 'sentry.javascript.cloudflare' : 'sentry.javascript.node',
      attributes: { plan: group, [`only-${group}`]: '1' },
      numbers: { rows: group === 'gold' ? 70 : 2, [`n-${group}`]: 1 },
    })),
  )
}

const hashOf = (group: Group): string => (group === 'gold' ? 'a' : 'b').repeat(32)

type Counted = Record<'list' | 'rule' | 'api', number | string>

async function count(dataset: Metric['dataset'], query: string): Promise<Counted> {
  const { viewer } = acme
  const metric = metricSchema.parse({ dataset, measure: 'count()', query, windowMs: hourMs, critical: 0 })
  const watched = { metric, projectIds: undefined, environments: [] }
  const range = { from: now - hourMs, to: now + 1 }
  const found = await explore(viewer, { dataset, fields: ['count()'], query, sort: [] }, range, { limit: 1, offset: 0 })
  const point = await measureAt(viewer, watched, now)
  return {
    list: await listed[dataset](query),
    rule: point?.value ?? 'not measured',
    api: found.ok ? Number(found.rows[0]?.['count()']) : found.message,
  }
}

const read = (query: string, table: FieldTable) => {
  const parsed = parseSearch(query, languageOf(table))
  if (!parsed.ok) throw new Error(`${query}: ${JSON.stringify(parsed.faults)}`)
  return { terms: parsed.terms, rangeMs: hourMs }
}
const listed: Record<Metric['dataset'], (query: string) => Promise<number>> = {
  errors: async query => {
    const { issues } = await listIssues(acme.viewer, { ...read(query, issueFields), sort: 'events' })
    return issues.reduce((sum, { events }) => sum + events, 0)
  },
  spans: async query => (await measureSpans(acme.viewer, { ...read(query, spanFields), sort: 'newest' })).whole.count,
  logs: async query => (await countLogs(acme.viewer, read(query, logFields), [])).total,
}

/** For each word of a list, what finds the gold rows. */
const values: Record<Metric['dataset'], Record<string, string[]>> = {
  errors: {
    level: ['fatal', '[fatal,error]'],
    release: ['gold@1', 'gold*', 'latest'],
    route: ['/gold/[id]'],
    environment: ['gold-env'],
    has: ['user', 'replay', 'only-gold', '"tags[only-gold]"'],
    type: ['goldError', 'GOLD*'],
    message: ['"gold words"', '/gold/'],
    'error.handled': ['true'],
    'error.unhandled': ['false'],
    transaction: ['"GET /gold/1"'],
    url: ['https://shop.test/gold', '*/gold'],
    'browser.name': ['"gold browser"'],
    'browser.version': ['gold.1'],
    'os.name': ['"gold os"'],
    'os.version': ['gold.2'],
    device: ['"gold phone"'],
    user: ['gold-user', 'gold@x.test', '"gold name"', '1.1.1.1', 'email:gold@x.test'],
    'user.id': ['gold-user'],
    'user.email': ['gold@x.test'],
    'user.username': ['"gold name"'],
    'user.ip': ['1.1.1.1'],
    mechanism: ['gold-mechanism'],
    platform: ['node'],
    'sdk.name': ['sentry.javascript.gold'],
    'sdk.version': ['9.1.0'],
    server_name: ['gold-host'],
    dist: ['gold-dist'],
    trace: [traces.gold],
    timestamp: [`>=${new Date(now - 5_000).toISOString()}`, '-5s'],
    issue: ['WEB-7'],
  },
  spans: {
    is: ['segment'],
    route: ['/gold/[id]'],
    op: ['gold.op'],
    duration: ['>1s', '>=2000ms'],
    status: ['error'],
    release: ['gold@1', 'latest'],
    environment: ['gold-env'],
    'user.id': ['gold-user'],
    side: ['server'],
    name: ['"gold name"', 'gold*'],
    has: ['user', 'replay', 'profile', 'only-gold', 'n-gold'],
    'http.status': ['>=500', '503'],
    method: ['POST'],
    url: ['https://shop.test/gold'],
    segment: ['"GET /gold"'],
    origin: ['auto.gold'],
    'browser.name': ['"gold browser"'],
    'os.name': ['"gold os"'],
    device: ['"gold phone"'],
    'sdk.name': ['sentry.javascript.gold'],
    'sdk.version': ['9.1.0'],
    server_name: ['gold-host'],
    trace: [traces.gold],
    timestamp: [`>=${new Date(now - 5_000).toISOString()}`, '-5s'],
  },
  logs: {
    level: ['warn', '>=warn', 'warning'],
    message: ['gold', '"gold order"', 'old ord'.replace(' ', '*')],
    route: ['/gold/[id]'],
    release: ['gold@1', 'latest'],
    environment: ['gold-env'],
    server_name: ['gold-host'],
    side: ['edge'],
    'user.id': ['gold-user'],
    has: ['user', 'replay', 'only-gold', 'n-gold'],
    trace: [traces.gold],
    span: ['000000000000000a'],
    replay: [replays.gold],
    template: ['"the {} gold"'],
    pattern: ['000000000000000c'],
    origin: ['auto.gold'],
    timestamp: [`>=${new Date(now - 5_000).toISOString()}`, '-5s'],
    'sdk.name': ['sentry.javascript.cloudflare'],
    'sdk.version': ['9.1.0'],
  },
}
/** About issues as a whole, or the same for all rows here. */
const notOfRows: Record<Metric['dataset'], readonly string[]> = {
  errors: [
    ...['is', 'assigned', 'firstRelease', 'timesSeen', 'users', 'firstSeen', 'lastSeen', 'age', 'priority'],
    ...['id', 'project', 'issue.category'],
  ],
  spans: ['project'],
  logs: ['project'],
}
const tables = { errors: issueFields, spans: spanFields, logs: logFields }

describe.each(['errors', 'spans', 'logs'] as const)('of %s', dataset => {
  const table: FieldTable = tables[dataset]
  const known = values[dataset]
  const three: Counted = { list: 3, rule: 3, api: 3 }
  const two: Counted = { list: 2, rule: 2, api: 2 }

  test('every documented field finds the same rows in a list, a rule and the API', async () => {
    expect(Object.keys(table.fields).toSorted()).toEqual([...Object.keys(known), ...notOfRows[dataset]].toSorted())
    for (const [key, each] of Object.entries(known))
      for (const value of each) {
        const query = `${key}:${value}`
        expect([query, await count(dataset, query)]).toEqual([query, three])
        if (!/^-5s|^>/.test(value)) {
          expect([`!${query}`, await count(dataset, `!${query}`)]).toEqual([`!${query}`, two])
        }
      }
  })

  test('so does every other spelling of it', async () => {
    const queries = Object.keys(table.aliases ?? {}).flatMap(alias => {
      const [value] = known[fieldKey(alias, table)] ?? []
      // By its number it is another word.
      return value === undefined || alias === 'issue.id' ? [] : [`${alias}:${value}`]
    })
    expect(queries.length).toBeGreaterThan(10)
    for (const query of queries) expect([query, await count(dataset, query)]).toEqual([query, three])
    for (const key of Object.keys(known)) {
      const query = `${key.toUpperCase()}:${known[key]?.[0]}`
      if (key !== 'has') expect([query, await count(dataset, query)]).toEqual([query, three])
    }
  })

  test('tags, attributes, free text and groups, too', async () => {
    const queries = [
      ...[
        'plan:gold',
        'tags[plan]:gold',
        'plan:[gold,silver]',
        'plan:go*',
        'gold',
        '"gold"',
        'plan:gold OR plan:silver',
      ],
      ...['(plan:gold release:latest)', '!(plan:plain OR release:plain@1)', 'project:web plan:gold'],
      ...(dataset === 'errors' ? [] : ['rows:70', 'rows:>60', '!rows:<10 plan:gold']),
    ]
    for (const query of queries) expect([query, await count(dataset, query)]).toEqual([query, three])
  })
})

test('what is about an issue as a whole is refused where single events are counted', async () => {
  for (const query of ['is:unresolved', 'assigned:me']) {
    const { rule, api } = await count('errors', query)
    expect([rule, api]).toEqual(['not measured', expect.stringContaining('is about issues')])
  }
})

test('Sentry’s own words mean to its tools what they mean there', async () => {
  const api = async (dataset: Metric['dataset'], query: string) => (await count(dataset, query).catch(() => null))?.api
  // A browser with its version, states that a list does not know, and a tag that nobody has.
  const words: [Metric['dataset'], string, number][] = [
    ['errors', 'browser:"gold browser gold.1"', 3],
    ['errors', 'event.type:error', 5],
    ['errors', 'nosuchtag:1', 0],
    ['spans', 'span.duration:>1s span.op:gold.op is_transaction:true', 3],
    ['logs', 'severity_number:>10', 3],
  ]
  const asked = (dataset: Metric['dataset'], query: string) =>
    explore(
      acme.viewer,
      { dataset, fields: ['count()'], query, sort: [] },
      { from: now - hourMs, to: now + 1 },
      { limit: 1, offset: 0 },
    )
  for (const [dataset, query, expected] of words) {
    const found = await asked(dataset, query)
    expect([query, found.ok && found.rows[0]?.['count()']]).toEqual([query, expected])
  }
  const lenient = await asked('spans', 'span.status:internal_error')
  expect(lenient.ok && lenient.rows[0]?.['count()']).toBe(0)
  expect(await api('errors', 'type:goldError')).toBe(3)
})

test('a rule may ask for fields, and for tags that were received in the last 30 days', async () => {
  const asked = async (filter: string, metric: object | null) => {
    const config = ruleConfig.parse({ filter, metric: metric && { windowMs: hourMs, critical: 0, ...metric } })
    const unknown = await findUnknownKeys(acme.viewer, { config, projectId: null })
    return unknown.map(each => `${each.in}: ${each.message}`)
  }
  for (const [dataset, words] of Object.entries(values)) {
    const query = Object.entries(words)
      .map(([key, [value]]) => `${key}:${value}`)
      .join(' ')
    expect([dataset, await asked('', { dataset, measure: 'count()', query })]).toEqual([dataset, []])
  }
  const known = Object.keys(issueFields.aliases ?? {}).map(alias => `${alias}:x`)
  for (const filter of ['level:error plan:gold', 'has:user has:only-gold', '"free text" !release:latest', ...known])
    expect([filter, await asked(filter, null)]).toEqual([filter, []])
  expect(await asked('is:unresolved pln:gold nothing-like-it:1', null)).toEqual([
    'filter: No event in the last 30 days has the tag pln. Did you mean plan?',
    'filter: No event in the last 30 days has the tag nothing-like-it.',
  ])
  const spans = { dataset: 'spans', measure: 'p95(span.duration)' }
  expect(await asked('', { ...spans, query: 'duratoin:>1s n-gold:1 (rowz:7 OR tags[only-gold]:1)' })).toEqual([
    'query: No span in the last 30 days has the attribute duratoin. Did you mean duration?',
    'query: No span in the last 30 days has the attribute rowz. Did you mean rows?',
  ])
  expect(await asked('', { dataset: 'errors', measure: 'count()', query: 'typ:x tags[typ]:y' })).toEqual([
    'query: No event in the last 30 days has the tag typ. Did you mean type?',
  ])
  expect(await asked('', { ...spans, measure: 'avg(rowz)' })).toEqual([
    'query: No span in the last 30 days has the attribute rowz. Did you mean rows?',
  ])
  for (const { dataset, measure } of metricPresets) expect(await asked('', { dataset, measure })).toEqual([])
})

test('a column can be named as in lists, too', async () => {
  const columns = async (dataset: Metric['dataset'], fields: string[]) => {
    const range = { from: now - hourMs, to: now + 1 }
    const found = await explore(acme.viewer, { dataset, fields, query: 'plan:gold', sort: [] }, range, {
      limit: 1,
      offset: 0,
    })
    return found.ok ? found.rows[0] : found.message
  }
  expect(await columns('errors', ['type', 'count()'])).toEqual({ type: 'goldError', 'count()': 3 })
  const spans = [
    'op',
    'status',
    'name',
    'http.status',
    'method',
    'segment',
    'origin',
    'side',
    'p95(duration)',
    'count()',
  ]
  expect(await columns('spans', spans)).toMatchObject({
    op: 'gold.op',
    status: 'error',
    side: 'server',
    'p95(duration)': 2_000,
  })
  expect(await columns('logs', ['span', 'template', 'side', 'count()'])).toMatchObject({
    span: '000000000000000a',
    side: 'edge',
  })
})
