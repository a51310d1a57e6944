import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createDecoders } from '#ingest/decoders.ts'
import { noiseRules } from '#react/noise/noise-rules.ts'
import { tableNames } from '#store/telemetry/tables.ts'
import { postEvent } from '../e2e/post-event.ts'
import { queryTelemetry } from '../e2e/query-telemetry.ts'
import { aimCapture } from '../e2e/replay-capture.ts'
import { type MutatedRequest, mutations } from '../fuzz/mutate.ts'
import { isLong } from '../long.ts'
import { listCaptures, listScenarios } from '../read-capture.ts'
import { residentBytes } from '../resident-bytes.ts'
import { sendRequest } from '../send-request.ts'
import { type Hydrant, type Provisioned, until } from '../start-hydrant.ts'
import { startIngest } from '../start-ingest.ts'
import { idOf } from './envelopes.ts'
import { createPrediction, unexplainedItems } from './prediction.ts'

const count = Number(process.env.HYDRANT_FUZZ_COUNT ?? (isLong ? 1_500 : 300))
const seed = Number(process.env.HYDRANT_SEED ?? 21)
const MiB = 1024 * 1024
/** Reasons of filters, which processing a record alone does not give. */
const lensReasons = new Set(['skew-sampled', ...noiseRules.map(({ id }) => id)])
const possible = new Set([200, 400, 401, 403, 404, 411, 413, 415, 429])

let hydrant: Hydrant
let project: Provisioned

beforeAll(async () => {
  ;({ hydrant, project } = await startIngest(idOf(seed, -1)))
})
afterAll(() => hydrant?.stop())

test(`${count} damaged requests leave Hydrant ready, and every item is accounted for`, async () => {
  process.stdout.write(`fuzz: HYDRANT_SEED=${seed} HYDRANT_FUZZ_COUNT=${count} repeats this run\n`)
  const before = await hydrant.metrics()
  const beganWith = await readState()
  const prediction = createPrediction()
  const statuses = new Map<number, number>()
  const unexplained: string[] = []
  const to = { url: hydrant.url, projectId: project.project.id, publicKey: new URL(project.dsn).username }
  const captures = listScenarios()
    .flatMap(listCaptures)
    .map(name => aimCapture(name, to))

  // One after the other, so that the inbox has the same order.
  for (const sent of mutations(seed, count, captures)) {
    const { status } = await sendRequest(new URL(sent.path, hydrant.url), sent.headers, sent.body)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (!possible.has(status)) unexplained.push(`${sent.name}: answered ${status}`)
    if (status !== 200) continue
    const body = await plainBody(sent)
    prediction.add(to.projectId, body)
    for (const item of unexplainedItems(body)) unexplained.push(`${sent.name}: ${item}`)
  }
  await hydrant.drained()
  process.stdout.write(`fuzz: answers ${JSON.stringify(Object.fromEntries(statuses))}\n`)
  expect(unexplained.slice(0, 10)).toEqual([])

  const acknowledged = statuses.get(200) ?? 0
  const after = await hydrant.metrics()
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(acknowledged).toBeGreaterThan(count / 4)
  expect(grown('hydrant_ingest_acknowledged_total')).toBe(acknowledged)
  for (const [type, sum] of prediction.items)
    expect([type, grown(`hydrant_digest_items_total{type="${type}"}`)]).toEqual([type, sum])

  const added = (now: Record<string, number>, then: Record<string, number>) =>
    Object.fromEntries(
      Object.keys(now)
        .map(key => [key, (now[key] ?? 0) - (then[key] ?? 0)])
        .filter(([, sum]) => sum !== 0),
    )
  const predicted = Object.fromEntries(prediction.rows)
  const look = async () => {
    const found = await readState()
    const outcomes = Object.entries(added(found.digested, beganWith.digested))
    const bySense = Map.groupBy(outcomes, ([reason]) => lensReasons.has(reason))
    const filtered = (bySense.get(true) ?? []).reduce((sum, [, quantity]) => sum + Number(quantity), 0)
    const rows: Record<string, number> = { events: 0, attachments: 0, ...added(found.rows, beganWith.rows) }
    return { rows, filtered, outcomes: Object.fromEntries(bySense.get(false) ?? []) }
  }
  // Noise and sampled floods become outcomes, and a browser error is held up to a minute for its server error.
  await until(async () => {
    const { rows, filtered } = await look()
    return (rows.events ?? 0) + filtered === (predicted.events ?? 0)
  })
  const { rows, filtered, outcomes } = await look()
  const lostFiles = (predicted.attachments ?? 0) - (rows.attachments ?? 0)
  expect(lostFiles).toBeGreaterThanOrEqual(0)
  expect(lostFiles).toBeLessThanOrEqual(filtered)
  expect({ ...rows, events: 0, attachments: 0 }).toEqual({ ...predicted, events: 0, attachments: 0 })
  expect(outcomes).toEqual(Object.fromEntries(prediction.outcomes))

  // Refusals are written every few seconds.
  const refused = count - acknowledged
  await until(async () => (await readState()).refused - beganWith.refused >= refused)

  expect(prediction.faults).toBe(0)
  expect(loudLines()).toEqual([])
  expect(await residentBytes(hydrant.pid)).toBeLessThan(700 * MiB)
  expect(await postEvent(project.dsn, idOf(seed, -2))).toBe(200)
  expect((await fetch(`${hydrant.url}/readyz`)).status).toBe(200)
})

async function plainBody({ headers, body }: MutatedRequest): Promise<Buffer> {
  const decoders = createDecoders(headers['content-encoding']) ?? []
  return buffer(decoders.reduce<Readable>((stream, decoder) => stream.pipe(decoder), Readable.from([body])))
}

async function readState() {
  const number = z.coerce.number()
  const rows: Record<string, number> = {}
  for (const table of tableNames.filter(
    name => !['outcomes', 'route_sums', 'profile_sums', 'event_index'].includes(name),
  )) {
    const [row] = await queryTelemetry(
      hydrant.dataDir,
      `SELECT count() AS n FROM ${table} LIMIT 1`,
      z.object({ n: number }),
    )
    rows[table] = row?.n ?? 0
  }
  const outcomes = await queryTelemetry(
    hydrant.dataDir,
    `SELECT reason, position(batch_id, ':refusals:') > 0 AS isRefusal, sum(quantity) AS n FROM outcomes GROUP BY ALL LIMIT 10000`,
    z.object({ reason: z.string(), isRefusal: number, n: number }),
  )
  const digested = Object.fromEntries(outcomes.filter(row => !row.isRefusal).map(row => [row.reason, row.n]))
  const refused = outcomes.filter(row => row.isRefusal).reduce((sum, row) => sum + row.n, 0)
  return { rows, digested, refused }
}

const loudLines = (): string[] =>
  hydrant
    .output()
    .split('\n')
    .filter(line => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= 50)
