/** Bad input, from the socket to the stores: the status, the outcome, and the items that are not affected. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openControl } from '#store/control/open-control.ts'
import { postEvent } from '../e2e/post-event.ts'
import { pour } from '../e2e/pour.ts'
import { queryTelemetry } from '../e2e/query-telemetry.ts'
import { sendRequest } from '../send-request.ts'
import { type Hydrant, type Provisioned, until } from '../start-hydrant.ts'
import { startIngest } from '../start-ingest.ts'
import { idOf, joinEnvelope } from './envelopes.ts'

const MiB = 1024 * 1024
let hydrant: Hydrant
let project: Provisioned
let other: Provisioned
let disabled: Provisioned
let lastNumber = 0
const nextId = () => idOf(6, ++lastNumber)
const keyOf = (of: Provisioned) => new URL(of.dsn).username
const ingest = (key = keyOf(project), id = project.project.id) =>
  new URL(`/api/${id}/envelope/?sentry_key=${key}`, hydrant.url)

beforeAll(async () => {
  ;({ hydrant, project } = await startIngest(nextId()))
  other = await hydrant.init('--org', 'acme', '--project', 'other')
  disabled = await hydrant.init('--org', 'acme', '--project', 'off')
  const control = openControl({ dataDir: hydrant.dataDir, databaseUrl: undefined })
  await control.db.updateTable('project_key').set({ is_active: 0 }).where('public_key', '=', keyOf(disabled)).execute()
  await control.close()
  await until(async () => (await postEvent(other.dsn, nextId())) === 200)
  await hydrant.drained()
})
afterAll(() => hydrant?.stop())

const outcomeRow = z.object({ reason: z.string(), n: z.coerce.number() })

async function outcomesOf(projectId: number): Promise<Map<string, number>> {
  const rows = await queryTelemetry(
    hydrant.dataDir,
    `SELECT reason, sum(quantity) AS n FROM outcomes WHERE project_id = ${projectId} GROUP BY reason LIMIT 1000`,
    outcomeRow,
  )
  return new Map(rows.map(row => [row.reason, row.n]))
}

const goodEvent = (id: string) => JSON.stringify({ event_id: id, message: 'a good neighbor' })
const gzip = { 'content-encoding': 'gzip' }

type Refused = [name: string, status: number, reason: string, body: Buffer | string, headers?: Record<string, string>]
const refusedBodies: Refused[] = [
  ['an empty body', 400, 'empty_body', ''],
  ['no newline', 400, 'invalid_envelope', '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}'],
  ['a length that is too long', 400, 'invalid_envelope', '{}\n{"type":"event","length":900}\n{}\n'],
  ['a length that is too short', 400, 'invalid_envelope', '{}\n{"type":"event","length":3}\n{"message":"hi"}\n'],
  [
    'truncated gzip',
    400,
    'bad_encoding',
    gzipSync(`{}\n{"type":"event"}\n{"message":"${'x'.repeat(9_999)}"}`).subarray(0, 60),
    gzip,
  ],
  ['an unknown encoding', 415, 'unknown_encoding', '{}\n{"type":"event"}\n{}', { 'content-encoding': 'lzma' }],
  ['10,000 sessions in one envelope', 413, 'too_large', `{}\n${'{"type":"session"}\n{}\n'.repeat(10_000)}`],
]

test('an invalid envelope is refused and counted by its reason, and the next request is accepted', async () => {
  for (const [name, status, , body, headers] of refusedBodies) {
    expect([name, (await sendRequest(ingest(), headers ?? {}, body)).status]).toEqual([name, status])
    expect([name, await postEvent(project.dsn, nextId())]).toEqual([name, 200])
  }
  const missing = async () => {
    const counted = await outcomesOf(project.project.id)
    return refusedBodies.filter(([, , reason]) => !counted.has(reason))
  }
  await until(async () => (await missing()).length === 0).catch(() => undefined)
  expect(await missing()).toEqual([])
})

test('100 MB of breadcrumbs are refused long before their end', async () => {
  const crumbs = Buffer.from('{"category":"console","message":"again and again"},'.repeat(1_000))
  const { status, sentBytes } = await pour(
    ingest(),
    { 'transfer-encoding': 'chunked' },
    '{}\n{"type":"event"}\n{"breadcrumbs":[',
    crumbs,
    100 * MiB,
  )
  expect([status, sentBytes < 50 * MiB]).toEqual([413, true])
})

test('a key of another project and a disabled key are refused and counted by their reasons', async () => {
  const body = `{}\n{"type":"event"}\n${goodEvent(nextId())}`
  expect((await sendRequest(ingest(keyOf(other)), {}, body)).status).toBe(403)
  expect((await sendRequest(ingest(keyOf(disabled), disabled.project.id), {}, body)).status).toBe(403)
  await until(async () => (await outcomesOf(disabled.project.id)).get('disabled_key') === 1)
  await until(async () => (await outcomesOf(project.project.id)).has('unknown_key'))
})

/** Each envelope is accepted because its framing is valid; digest finds what is wrong inside. */
test('an invalid item does not affect the other items of its envelope', async () => {
  const good = [nextId(), nextId(), nextId(), nextId()]
  const bodies = [
    joinEnvelope({ event_id: good[0] }, [
      [{ type: 'session' }, Buffer.from('{"sid":')],
      [{ type: 'event' }, Buffer.from(goodEvent(good[0] ?? ''))],
      [{ type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' }, Buffer.from('nonsense')],
    ]),
    joinEnvelope({ event_id: good[1] }, [
      [{ type: 'hologram' }, Buffer.from('{}')],
      [{ type: 'event' }, Buffer.from(goodEvent(good[1] ?? ''))],
    ]),
    joinEnvelope({ event_id: good[2] }, [
      [
        { type: 'event' },
        Buffer.concat([Buffer.from('{"message":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}')]),
      ],
    ]),
    joinEnvelope({ event_id: good[3] }, [
      [
        { type: 'event' },
        Buffer.from(
          `{"message":"deep","extra":{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}},"__proto__":{"polluted":true},"tags":{"__proto__":"x","constructor":"y"}}`,
        ),
      ],
      ...Array.from({ length: 5_000 }, (): [object, Buffer] => [{ type: 'user_report' }, Buffer.from('{}')]),
    ]),
  ]
  for (const body of bodies) expect((await sendRequest(ingest(), {}, body)).status).toBe(200)
  await hydrant.drained()
  const found = await queryTelemetry(
    hydrant.dataDir,
    `SELECT toString(event_id) AS id FROM events WHERE project_id = ${project.project.id} AND kind != 'feedback' LIMIT 1000`,
    z.object({ id: z.string() }),
  )
  const ids = new Set(found.map(row => row.id.replaceAll('-', '')))
  for (const id of good) expect(ids).toContain(id)
  const outcomes = await outcomesOf(project.project.id)
  expect(outcomes.get('invalid_json')).toBeGreaterThanOrEqual(2)
  expect(outcomes.get('unknown_item')).toBe(1)
  const reports = await queryTelemetry(
    hydrant.dataDir,
    "SELECT count() AS n FROM feedback WHERE source = 'user_report' LIMIT 1",
    z.object({ n: z.coerce.number() }),
  )
  expect(reports).toEqual([{ n: 5_000 }])
})

test('times in 1970 and in 3000 are clamped to the retained range', async () => {
  const ids = [nextId(), nextId()]
  for (const [index, timestamp] of [0, 32_503_680_000].entries()) {
    const body = joinEnvelope({ event_id: ids[index] }, [
      [{ type: 'event' }, Buffer.from(JSON.stringify({ timestamp, message: 'when?' }))],
    ])
    expect((await sendRequest(ingest(), {}, body)).status).toBe(200)
  }
  await hydrant.drained()
  const rows = await queryTelemetry(
    hydrant.dataDir,
    "SELECT dateDiff('day', timestamp, received_at) AS days FROM events WHERE title = 'when?' ORDER BY days LIMIT 10",
    z.object({ days: z.coerce.number() }),
  )
  expect(rows).toHaveLength(2)
  for (const { days } of rows) expect([days >= -1, days <= 31]).toEqual([true, true])
})

test('after all of it Hydrant is ready, and the log has no error', async () => {
  expect(await postEvent(project.dsn, nextId())).toBe(200)
  await hydrant.drained()
  expect((await fetch(`${hydrant.url}/readyz`)).status).toBe(200)
  const loud = hydrant
    .output()
    .split('\n')
    .filter(line => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= 50)
  expect(loud).toEqual([])
})
