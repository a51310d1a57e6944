import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { understandRecord } from '#digest/understand-record.ts'
import { deleteGroups } from '#store/telemetry/delete-groups.ts'
import { dropExpiredPartitions } from '#store/telemetry/drop-expired.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { readCapture } from '../read-capture.ts'
import { startTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'

const dayMs = 86_400_000
const monday = Date.UTC(2026, 10, 9, 12)
const single = { kind: 'single' } as const
let store: TelemetryUnderTest
let telemetry: Telemetry

beforeAll(async () => {
  store = await startTelemetry()
  ;({ telemetry } = store)
})
afterAll(() => store?.stop())

function eventAt(timestamp: number): EventRow {
  const context = { recordId: 'index', retentionDays: { errors: 30, rest: 30 }, spoolFolder: '' }
  const [row] = understandRecord(readCapture('node-error/002'), context).rows.events ?? []
  if (!row) throw new Error('the capture holds no event')
  return { ...row, timestamp }
}
const write = (batchId: string, rows: EventRow[], mayHaveArrived: boolean) =>
  writeBatch(telemetry, { table: 'events', rows, batchId, mayHaveArrived, isSuspect: false })

async function indexed(batchId: string): Promise<number> {
  const [row] = await telemetry.query({
    query: 'SELECT count() AS rows FROM event_index WHERE batch_id = {batchId:String} LIMIT 1',
    params: { batchId },
    schema: z.object({ rows: z.coerce.number() }),
  })
  return row?.rows ?? 0
}

test('an event stands in the index once, however often its batch is written', async () => {
  const rows = [eventAt(monday)]
  for (const mayHaveArrived of [false, false, true]) await write('i:1', rows, mayHaveArrived)
  expect(await indexed('i:1')).toBe(1)
})

test('what a killed engine left out of the index is added when the batch comes again', async () => {
  await write('i:2', [eventAt(monday)], false)
  await telemetry.command("ALTER TABLE event_index DELETE WHERE batch_id = 'i:2'", { mutations_sync: 1 })
  expect(await indexed('i:2')).toBe(0)
  await write('i:2', [eventAt(monday)], true)
  expect(await indexed('i:2')).toBe(1)
})

test('an event whose part was lost after its token was noted stands in the index once when it comes again', async () => {
  const row = eventAt(monday + 14 * dayMs)
  await write('i:6', [row], false)
  await telemetry.command("ALTER TABLE events DROP PARTITION ID '20261123-30'")
  await write('i:6', [row], true)
  const [stored] = await telemetry.query({
    query: "SELECT count() AS rows FROM events WHERE batch_id = 'i:6' LIMIT 1",
    schema: z.object({ rows: z.coerce.number() }),
  })
  expect([stored?.rows, await indexed('i:6')]).toEqual([1, 1])
})

test('a week leaves the index when the last of its days is too old', async () => {
  await write('i:3', [eventAt(monday)], false)
  await dropExpiredPartitions(telemetry, single, monday + 36 * dayMs)
  expect(await indexed('i:3')).toBe(1)
  await dropExpiredPartitions(telemetry, single, monday + 37 * dayMs)
  expect(await indexed('i:3')).toBe(0)
})

test('the events of a deleted group leave the index too', async () => {
  const row = eventAt(monday)
  await write('i:4', [row], false)
  await deleteGroups(telemetry, single, {
    projectId: row.project_id,
    hashes: [row.group_hash],
    untilMs: row.received_at,
  })
  expect(await indexed('i:4')).toBe(0)
})
