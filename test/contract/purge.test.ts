import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { deleteIssues } from '#commands/delete-issues.ts'
import { undoChange } from '#commands/undo-change.ts'
import { purgeDeleted } from '#digest/loop/purge-deleted.ts'
import { type EngineHandle, startEngine } from '#engine/start-engine.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { digestEvents } from './digest-events.ts'
import { silentLog } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

const hourMs = 3_600_000
let folder: string
let engine: EngineHandle
let telemetry: Telemetry
let control: Control
let world: World

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purge-'))
  engine = await startEngine({
    dataPath: join(folder, 'telemetry'),
    socketPath: join(folder, 'engine.sock'),
    log: () => undefined,
  })
  telemetry = openTelemetry({ kind: 'socket', socketPath: engine.socketPath })
  await migrateTelemetry(telemetry, { kind: 'single' })
  control = openControl({ dataDir: folder, databaseUrl: undefined })
  await migrateControl(control, { dataDir: folder, log: silentLog })
  world = await makeWorld(control)
})
afterAll(async () => {
  await control?.close()
  await telemetry?.close()
  await engine?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function send(type: string): Promise<void> {
  const batch = await digestEvents(world, [{ type }])
  await writeBatch(telemetry, {
    table: 'events',
    rows: batch.rows.events,
    batchId: `${type}-${world.clock.now}`,
    mayHaveArrived: false,
    isSuspect: false,
  })
}
const kept = async () =>
  (
    await telemetry.query({
      query: 'SELECT type, toUInt32(count()) AS events FROM events GROUP BY type ORDER BY type LIMIT 10',
      schema: z.object({ type: z.string(), events: z.number() }),
    })
  ).map(({ type, events }) => `${type} ${events}`)
const purge = () => purgeDeleted(control, telemetry, { kind: 'single' }, world.clock.now)
const issueIds = async () =>
  (await control.db.selectFrom('issue').select('id').orderBy('id').execute()).map(({ id }) => id)

test('the events of a deleted issue go when it is too late to undo, and those that came later stay', async () => {
  await send('TypeError')
  await send('RangeError')
  const [unwanted = 0, other = 0] = await issueIds()
  const done = await deleteIssues(world.context, { scope: [world.web], issueIds: [unwanted] })
  world.clock.now += hourMs
  expect(await purge()).toBe(0)
  await send('TypeError')
  expect(await kept()).toEqual(['RangeError 1', 'TypeError 2'])
  world.clock.now += 2 * hourMs
  expect(await purge()).toBe(1)
  expect(await kept()).toEqual(['RangeError 1', 'TypeError 1'])
  expect(await issueIds()).toEqual([other, other + 1])
  expect(await purge()).toBe(0)
  expect(await undoChange(world.context, { scope: [world.web], undo: done.ok ? done.undo : '' })).toEqual({
    ok: false,
    code: 'undo_not_found',
  })
})
