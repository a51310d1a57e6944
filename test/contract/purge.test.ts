import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { deleteIssues } from '#domain/issues/commands/delete-issues.ts'
import { undoChange } from '#domain/issues/commands/undo-change.ts'
import { purgeDeleted } from '#jobs/purge-deleted.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { digestEvents } from './digest-events.ts'
import { silentLog } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

const hourMs = 3_600_000
let store: TelemetryUnderTest
let telemetry: Telemetry
let control: Control
let world: World

beforeAll(async () => {
  store = await borrowTelemetry()
  ;({ telemetry } = store)
  control = openControl({ dataDir: store.folder, databaseUrl: undefined })
  await migrateControl(control, { dataDir: store.folder, log: silentLog })
  world = await makeWorld(control)
})
afterAll(async () => {
  await control?.close()
  await store?.stop()
})

async function send(type: string): Promise<void> {
  const batch = await digestEvents(world, [{ type }])
  await writeEvents(telemetry, {
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

/** What a browser's errors stand for, by the type of their group; it is learnt once, and a group that comes back needs it again. */
async function standFor(type: string): Promise<void> {
  const { project_id, group_version, group_hash } = await control.db
    .selectFrom('issue_hash')
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .select(['issue_hash.project_id', 'group_version', 'group_hash'])
    .where('title', 'like', `${type}%`)
    .executeTakeFirstOrThrow()
  await control.db
    .insertInto('linked_group')
    .values({ project_id, group_version, group_hash, server_project_id: project_id, server_hash: type })
    .execute()
}
const echoes = async () =>
  (await control.db.selectFrom('linked_group').select('server_hash').orderBy('server_hash').execute()).map(
    row => row.server_hash,
  )

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
  expect(
    await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' }),
  ).toEqual({
    ok: false,
    code: 'undo_not_found',
  })
})

test('what a deleted group stood for is forgotten with it, unless it came again', async () => {
  for (const type of ['EvalError', 'URIError', 'SyntaxError']) await send(type)
  const [, , gone = 0, back = 0] = await issueIds()
  for (const type of ['EvalError', 'URIError', 'SyntaxError']) await standFor(type)
  await deleteIssues(world.context, { scope: [world.web], issueIds: [gone, back] })
  world.clock.now += hourMs
  await send('URIError')
  world.clock.now += 2 * hourMs
  expect(await purge()).toBe(2)
  expect(await echoes()).toEqual(['SyntaxError', 'URIError'])
})
