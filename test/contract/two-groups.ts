/** Rows of errors, spans and logs that differ in every field, and what finds three of them by each word. */
import { expect } from 'vitest'
import type { Metric } from '#domain/alerts/metric.ts'
import { sweepMirror } from '#domain/issues/mirror/write-mirror.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'
import { createUuids } from '../create-ids.ts'
import type { Acme } from './open-acme.ts'

const minuteMs = 60_000
export const now = Math.floor(Date.now() / minuteMs) * minuteMs
export const hourMs = 60 * minuteMs
const nextId = createUuids('one language')
const traces = { gold: '1'.repeat(32), plain: '2'.repeat(32) }
const replays = { gold: '3'.repeat(32), plain: '0'.repeat(32) }

async function insert(acme: Acme, table: string, rows: Record<string, unknown>[]): Promise<void> {
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

const common = (projectId: number, group: Group) => ({
  project_id: projectId,
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

export async function sowTwoGroups(acme: Acme): Promise<void> {
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
    acme,
    'events',
    eachRow((group, at) => ({
      ...common(projectId, group),
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
        user_ip: group === 'gold' ? nextSpelling() : '2.2.2.2',
      },
      ...{ mechanism: `${group}-mechanism`, platform: group === 'gold' ? 'node' : 'javascript', dist: `${group}-dist` },
      tags: { plan: group, [`only-${group}`]: '1' },
    })),
  )
  await telemetry.command(indexStoredEventsSql('1'))
  await insert(
    acme,
    'spans',
    eachRow((group, at) => ({
      ...common(projectId, group),
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
      attributes: {
        plan: group,
        [`only-${group}`]: '1',
        ...(group === 'gold' && { 'user.ip_address': nextSpelling() }),
      },
      numbers: { rows: group === 'gold' ? 70 : 2, [`n-${group}`]: 1 },
    })),
  )
  await insert(
    acme,
    'logs',
    eachRow((group, at) => ({
      ...common(projectId, group),
      ...{ log_id: nextId(), timestamp: at * 1_000, received_at: at, weight: 1 },
      ...{ level: group === 'gold' ? 'warn' : 'info', severity: group === 'gold' ? 13 : 9 },
      ...{ body: `the ${group} order failed`, template: `the {} ${group}`, origin: `auto.${group}` },
      ...{ span_id: group === 'gold' ? '10' : '11', pattern: group === 'gold' ? '12' : '13' },
      sdk_name: group === 'gold' ? 'sentry.javascript.cloudflare' : 'sentry.javascript.node',
      attributes: {
        plan: group,
        [`only-${group}`]: '1',
        ...(group === 'gold' && { 'user.ip_address': nextSpelling() }),
      },
      numbers: { rows: group === 'gold' ? 70 : 2, [`n-${group}`]: 1 },
    })),
  )
}

/** Rows from before addresses had one spelling have theirs in any. */
const spellings = ['1.1.1.1', '::ffff:1.1.1.1', '::ffff:101:101']
let stored = 0
const nextSpelling = (): string => spellings[stored++ % spellings.length] ?? ''

const hashOf = (group: Group): string => (group === 'gold' ? 'a' : 'b').repeat(32)

/** For each word of a list, what finds the gold rows. */
export const wordsOfGold: Record<Metric['dataset'], Record<string, string[]>> = {
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
    user: ['gold-user', 'gold@x.test', '"gold name"', '1.1.1.1', '"::ffff:1.1.1.1"', 'ip:1.1.1.1', 'email:gold@x.test'],
    'user.id': ['gold-user'],
    'user.email': ['gold@x.test'],
    'user.username': ['"gold name"'],
    'user.ip': ['1.1.1.1', '"::ffff:1.1.1.1"', '"::FFFF:101:101"'],
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
export const notOfRows: Record<Metric['dataset'], readonly string[]> = {
  errors: [
    ...['is', 'assigned', 'firstRelease', 'timesSeen', 'users', 'firstSeen', 'lastSeen', 'age', 'priority'],
    ...['id', 'project', 'issue.category'],
  ],
  spans: ['project'],
  logs: ['project'],
}
