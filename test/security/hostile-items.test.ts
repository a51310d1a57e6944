/** Items made to be expensive or to break something: each is stored or counted, and its cost is linear in its size. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { processRecord } from '#digest/process-record.ts'
import { postEvent } from '../e2e/post-event.ts'
import { queryTelemetry } from '../e2e/query-telemetry.ts'
import { idOf } from '../faults/envelopes.ts'
import { unexplainedItems } from '../faults/prediction.ts'
import { growthOf, linearGrowth } from '../growth-of.ts'
import { isLong, longTest } from '../long.ts'
import { makeRecord, testContext } from '../make-record.ts'
import { sendRequest } from '../send-request.ts'
import { type Hydrant, type Provisioned, until } from '../start-hydrant.ts'
import { startIngest } from '../start-ingest.ts'
import { growing, payloadOf, strange } from './hostile-payloads.ts'
import { skeletons } from './skeletons.ts'

type Skeleton = (typeof skeletons)[number]

const recordOf = ({ type, headers = {} }: Skeleton, payload: Buffer) =>
  makeRecord([{ type, headers, payload }], {}, { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' })

const named = skeletons.map((skeleton, at) => [`${skeleton.type} (${at})`, skeleton] as const)

longTest.each(named)('%s: an item eight times as large takes about eight times the CPU time', (_name, skeleton) => {
  const steep = growing.flatMap(attack => {
    // Created before the measurement starts.
    const records = new Map(
      [1, 8].map(times => {
        const size = (skeleton.maxBytes / 8) * times
        return [size, () => recordOf(skeleton, payloadOf(skeleton, attack, size))] as const
      }),
    )
    const made = new Map([...records].map(([size, make]) => [size, make()]))
    const growth = growthOf(size => {
      const record = made.get(size)
      if (record === undefined) throw new Error(`no record of ${size} bytes`)
      processRecord(record, testContext)
    }, skeleton.maxBytes / 8)
    return growth < linearGrowth ? [] : [`${attack.name}: ${growth}`]
  })
  expect(steep).toEqual([])
})

test.each(named)('%s: hostile values are stored or counted, and nothing fails', (_name, skeleton) => {
  for (const attack of [...growing, ...strange]) {
    const record = recordOf(skeleton, payloadOf(skeleton, attack, skeleton.maxBytes / (isLong ? 8 : 32)))
    expect([attack.name, unexplainedItems(record.body).length]).toEqual([attack.name, 0])
    const { faults } = processRecord(record, testContext)
    expect([attack.name, faults.map(({ message }) => message)]).toEqual([attack.name, []])
  }
})

let hydrant: Hydrant
let project: Provisioned
beforeAll(async () => {
  ;({ hydrant, project } = await startIngest(idOf(34, -1)))
})
afterAll(() => hydrant?.stop())

test('after hostile items of all types, digest still runs in the same thread and stores the next event', async () => {
  const before = await hydrant.metrics()
  const { username, pathname } = new URL(project.dsn)
  const address = new URL(`/api${pathname}/envelope/?sentry_key=${username}`, hydrant.url)
  let acknowledged = 0
  // Larger ones are processed above, and what one costs is linear in its size.
  const share = isLong ? 10 : 160
  for (const skeleton of skeletons)
    for (const attack of [...growing, ...strange]) {
      const payload = payloadOf(skeleton, attack, skeleton.maxBytes / share).toString('latin1')
      // With the same id, all but the first would be dropped as duplicates.
      const { body } = recordOf(
        skeleton,
        Buffer.from(payload.replaceAll('a'.repeat(32), idOf(34, acknowledged)), 'latin1'),
      )
      const { status } = await sendRequest(address, { 'user-agent': 'Mozilla/5.0 ('.repeat(600) }, body)
      expect([skeleton.type, attack.name, [200, 400, 413].includes(status)]).toEqual([skeleton.type, attack.name, true])
      if (status === 200) acknowledged += 1
    }
  await hydrant.drained()
  expect(await postEvent(project.dsn, idOf(34, -2))).toBe(200)
  await hydrant.drained()
  await until(async () => {
    const rows = await queryTelemetry(
      hydrant.dataDir,
      `SELECT count() AS n FROM events WHERE replaceAll(toString(event_id), '-', '') = '${idOf(34, -2)}' LIMIT 1`,
      z.object({ n: z.coerce.number() }),
    )
    return rows[0]?.n === 1
  })
  const after = await hydrant.metrics()
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(grown('hydrant_ingest_acknowledged_total')).toBe(acknowledged + 1)
  const items = [...after.keys()].filter(name => name.startsWith('hydrant_digest_items_total'))
  expect(items.reduce((sum, name) => sum + grown(name), 0)).toBe(acknowledged + 1)
  expect([...after].filter(([name, value]) => name.startsWith('hydrant_child_restarts_total') && value > 0)).toEqual([])
  expect(loudLines()).toEqual([])
})

const loudLines = (): string[] =>
  hydrant
    .output()
    .split('\n')
    .filter(line => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= 50)
