import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { processRecord } from '#digest/process-record.ts'
import { viewerAt } from '#domain/access/viewer.ts'
import { countEdge } from '#domain/issues/list/count-edge.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { deleteRows } from '#store/telemetry/delete-rows.ts'
import { deleteGroups, dropExpiredPartitions } from '#store/telemetry/drop-expired.ts'
import { encodeRows, insertColumns } from '#store/telemetry/encode-rows.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { indexEvent, indexStoredEventsSql, writeEvents } from '#store/telemetry/write-events.ts'
import { withIndexView } from '../event-index-view.ts'
import { readCapture } from '../read-capture.ts'
import { viewAs } from '../view-as.ts'
import { hardRows } from './hard-rows.ts'
import { silentLog } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'

const dayMs = 86_400_000
const monday = Date.UTC(2026, 10, 9, 12)
const single = { kind: 'single' } as const
let store: TelemetryUnderTest
let telemetry: Telemetry

beforeAll(async () => {
  store = await borrowTelemetry()
  ;({ telemetry } = store)
})
afterAll(() => store?.stop())

function eventAt(timestamp: number): EventRow {
  const context = { recordId: 'index', retentionDays: { errors: 30, rest: 30 }, spoolFolder: '' }
  const [row] = processRecord(readCapture('node-error/002'), context).rows.events ?? []
  if (!row) throw new Error('the capture holds no event')
  return { ...row, timestamp }
}
const write = (batchId: string, rows: EventRow[], mayHaveArrived: boolean) =>
  writeEvents(telemetry, { rows, batchId, mayHaveArrived, isSuspect: false })

const stored = (batchId: string) => countRows('events', batchId)
const indexed = (batchId: string) => countRows('event_index', batchId)

/** Pieces of the batch included. */
async function countRows(table: 'events' | 'event_index', batchId: string): Promise<number> {
  const [row] = await telemetry.query({
    query: `SELECT count() AS rows FROM ${table} WHERE batch_id = {batchId:String} OR startsWith(batch_id, {batchId:String} || '/') LIMIT 1`,
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

test('pages are answered while rows are being deleted, however long that takes', async () => {
  await write('i:40', [eventAt(monday + 28 * dayMs)], false)
  const { group_hash } = eventAt(monday)
  await telemetry.command('SYSTEM STOP MERGES event_index') // deletions wait too
  let isDone = false
  const deletion = deleteRows(telemetry, single, 'event_index', `group_hash = '${group_hash}' AND batch_id = 'i:40'`)
  const deleted = deletion.then(() => (isDone = true))
  expect(await stored('i:40')).toBe(1)
  expect(isDone).toBe(false)
  await telemetry.command('SYSTEM START MERGES event_index')
  await deleted
  expect(await indexed('i:40')).toBe(0)
})

test('an event whose part was lost after its token was noted is rewritten and indexed once, without any repair', async () => {
  const rows = [eventAt(monday + 14 * dayMs)]
  await write('i:6', rows, false)
  // Dropping the partition would drop its tokens too; a mutation keeps them.
  await telemetry.command("ALTER TABLE events DELETE WHERE batch_id = 'i:6'", { mutations_sync: 1 })
  expect(await stored('i:6')).toBe(0)
  // A cluster takes no deletions: what a repeat leaves behind would stay.
  const insertsOnly: Telemetry = { ...telemetry, command: () => Promise.reject(new Error('no such permission')) }
  const repeated = { rows, batchId: 'i:6', mayHaveArrived: true, isSuspect: false }
  const result = await writeEvents(insertsOnly, repeated)
  expect([await stored('i:6'), await indexed('i:6')]).toEqual([1, 1])
  expect(result).toEqual({ kind: 'done', refused: [] })
})

test('what an older version indexed of a batch is not indexed again, and the rest is', async () => {
  const rows = [0, 1, 2, 3].map(each => ({ ...eventAt(monday + (each % 2) * dayMs), event_id: `${each}`.repeat(32) }))
  const [first, ...others] = rows
  if (!first) throw new Error('no rows')
  const whole = { table: 'events', batchId: 'i:7', mayHaveArrived: false, isSuspect: false } as const
  await withIndexView(telemetry, async () => {
    await writeBatch(telemetry, { ...whole, rows: [first] })
    // Too much for the engine's memory at once: cut into pieces of two and one, which have ids of their own.
    await writeBatch(telemetry, { ...whole, batchId: 'i:8', rows: others, mayHaveArrived: true, cuts: 1 })
  })
  expect([await indexed('i:7'), await indexed('i:8')]).toEqual([1, 3])
  await write('i:7', rows.slice(0, 2), true)
  await write('i:8', others, true)
  expect([await stored('i:7'), await indexed('i:7')]).toEqual([2, 2])
  expect([await stored('i:8'), await indexed('i:8')]).toEqual([3, 3])
})

test('a batch in pieces is indexed once, wherever the pieces are cut when it comes again', async () => {
  const rows = Array.from({ length: 7 }, (_, each) => ({ ...eventAt(monday), event_id: `a${each}`.repeat(16) }))
  const whole = { batchId: 'i:9', rows, mayHaveArrived: true, isSuspect: false }
  for (const cuts of [1, 2, 0]) expect(await writeEvents(telemetry, { ...whole, cuts })).toMatchObject({ kind: 'done' })
  await telemetry.command(`ALTER TABLE event_index DELETE WHERE event_id = toUUID('${'a3'.repeat(16)}')`, {
    mutations_sync: 1,
  })
  expect(await indexed('i:9')).toBe(6)
  expect(await writeEvents(telemetry, { ...whole, cuts: 1 })).toMatchObject({ kind: 'done' })
  expect([await stored('i:9'), await indexed('i:9')]).toEqual([7, 7])
})

test('digest derives the same index row from an event as the engine does', async () => {
  const rows = hardRows('events') as EventRow[] // as its columns are typed
  const batchId = 'i:10'
  for (const name of ['hard_events', 'by_digest', 'by_engine'])
    await telemetry.command(
      `CREATE TABLE ${name} AS ${name === 'hard_events' ? 'events' : 'event_index'} ENGINE = Memory`,
    )
  const sent = [
    { table: 'hard_events', columns: insertColumns('events'), body: encodeRows('events', rows, batchId) },
    {
      table: 'by_digest',
      columns: insertColumns('event_index'),
      body: encodeRows('event_index', rows.map(indexEvent), batchId),
    },
  ]
  for (const insert of sent)
    expect(await telemetry.insert({ ...insert, token: insert.table })).toEqual({ kind: 'done' })
  const sql = indexStoredEventsSql('1')
    .replace('INTO event_index', 'INTO by_engine')
    .replace('FROM events', 'FROM hard_events')
  await telemetry.command(sql)
  const [compared] = await telemetry.query({
    query: `SELECT (SELECT count() FROM by_digest) AS rows, uniqExact(detail_score) AS scores,
      (SELECT groupArray(cityHash64(*)) FROM by_digest) = (SELECT groupArray(cityHash64(*)) FROM by_engine) AS isSame FROM by_engine`,
    schema: z.object({ rows: z.coerce.number(), scores: z.coerce.number(), isSame: z.coerce.boolean() }),
  })
  expect(compared).toMatchObject({ rows: rows.length, isSame: true })
  expect(compared?.scores).toBeGreaterThan(3)
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

test('the part of a day in which a range begins is counted to the millisecond, and read again when digest has counted more of that day', async () => {
  const control = openControl({ dataDir: store.folder })
  await migrateControl(control, { dataDir: store.folder, log: silentLog })
  const [hourMs, morning] = [3_600_000, monday - 35 * dayMs]
  const group = (index: number) => String(index % 7).padStart(32, 'e')
  const rows = Array.from({ length: 4_000 }, (_, index) => ({
    ...eventAt(morning + ((index * 7_919) % (3 * hourMs))),
    project_id: 77,
    group_hash: group(index),
    weight: index % 11 === 0 ? 4 : 1,
    user_hash: String(1 + (index % 400)),
    replaced_user_hash: index % 400 === 399 ? '5' : '0',
  }))
  await write('edge', rows, false)
  let reads = 0
  const counting: Telemetry = {
    ...telemetry,
    query: query => {
      reads += 1
      return telemetry.query(query)
    },
  }
  const viewer = viewAs({ control, telemetry: counting }, { projects: [77], now: monday })
  const to = morning + 3 * hourMs - 1
  const period = Math.floor(morning / dayMs)
  const count = (from: number, now = monday) =>
    countEdge(viewerAt(viewer, now), undefined, { table: 'hash_day', column: 'day', period, edge: { from, to } })
  const key = { project_id: 77, group_version: 1, group_hash: group(0), day: period }
  await control.db
    .insertInto('hash_day')
    .values({ ...key, event_count: rows.length, user_sketch: null })
    .execute()
  for (const from of [morning, morning + 1, morning + 7_919, morning + hourMs - 1]) {
    const counts = await count(from)
    for (let index = 0; index < 7; index++) {
      const own = rows.filter(row => row.group_hash === group(index) && row.timestamp >= from)
      const users = new Set(own.map(row => row.user_hash))
      if (own.some(row => row.replaced_user_hash === '5')) users.delete('5')
      const found = counts.find(({ hash }) => hash === group(index))
      expect(found?.events).toBe(own.reduce((sum, { weight }) => sum + weight, 0))
      expect(new Set(found?.users)).toEqual(users)
      expect(found).toMatchObject({ projectId: 77, isSampled: true })
    }
  }
  expect(reads).toBe(2)
  await count(morning, monday + 5 * 60_000)
  expect(reads).toBe(2)

  const before = (await count(morning)).find(({ hash }) => hash === group(0))?.events ?? 0
  await write('edge:late', [{ ...eventAt(morning + 1), project_id: 77, group_hash: group(0), weight: 1 }], false)
  await control.db
    .updateTable('hash_day')
    .set({ event_count: rows.length + 1 })
    .where('project_id', '=', 77)
    .execute()
  expect((await count(morning)).find(({ hash }) => hash === group(0))?.events).toBe(before + 1)
  await control.close()
})
