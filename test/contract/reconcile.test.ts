/** Stored events, the index, hours, days and totals, put at odds in the ways that restores, cut logs and lost parts do it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { deleteIssues } from '#domain/issues/commands/delete-issues.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { holdLease } from '#jobs/job-lease.ts'
import { purgeDeleted } from '#jobs/purge-deleted.ts'
import { type Repaired, reconcile } from '#jobs/reconcile/reconcile.ts'
import { requestReconciliation } from '#store/control/request-reconciliation.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { digestEvents, type SentError } from './digest-events.ts'
import { onEachEngine, silentLog } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const single = { kind: 'single' } as const
let store: TelemetryUnderTest
let telemetry: Telemetry
beforeAll(async () => {
  store = await borrowTelemetry()
  ;({ telemetry } = store)
})
afterAll(() => store?.stop())

onEachEngine(({ dialect, newAcme }) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    for (const table of ['events', 'event_index', 'logs']) await telemetry.command(`TRUNCATE TABLE ${table}`)
  })

  /** One batch, stored and counted as digest does it. */
  async function send(...errors: SentError[]): Promise<void> {
    const batch = await digestEvents(world, errors)
    await keep(batch)
  }
  const keep = (batch: Awaited<ReturnType<typeof digestEvents>>) =>
    writeEvents(telemetry, {
      rows: batch.rows.events,
      batchId: batch.batchId,
      mayHaveArrived: false,
      isSuspect: false,
    })
  async function run(over: { retentionDays?: number; holder?: string; isStopping?: () => boolean } = {}) {
    const found: Repaired = { issues: 0, totals: 0, hours: 0, days: 0, index: 0 }
    const options = {
      control: world.control,
      telemetry,
      layout: single,
      retentionDays: 90,
      holder: 'test',
      log: silentLog as never,
      isStopping: () => false,
      onRepair: (repaired: Repaired) => {
        for (const key of Object.keys(found) as (keyof Repaired)[]) found[key] += repaired[key]
      },
      ...over,
    }
    const compared = await reconcile(options, () => world.clock.now)
    return { compared, ...found }
  }
  /** Everything that is derived from events, without ids that may differ. */
  async function derived() {
    const { db } = world.control
    const hashes = await db
      .selectFrom('issue_hash')
      .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
      .select(['title', 'culprit', 'level', 'kind', 'side', 'priority', 'is_unhandled', 'event_count', 'user_count'])
      .select(['first_seen', 'last_seen', 'first_release', 'last_release', 'last_event_id'])
      .orderBy('title')
      .execute()
    const periods = { hash_hour: [] as unknown[], hash_day: [] as unknown[] }
    for (const [table, _column] of [
      ['hash_hour', 'hour'],
      ['hash_day', 'day'],
    ] as const)
      periods[table] = (
        await db.selectFrom(table).selectAll().where('event_count', '>', 0).orderBy('group_hash').execute()
      )
        .map(row => JSON.stringify({ ...row, user_sketch: Buffer.from(row.user_sketch ?? []).toString('hex') }))
        .sort()
    const index = await telemetry.query({
      query: 'SELECT toString(event_id) AS id, count() AS rows FROM event_index GROUP BY id ORDER BY id LIMIT 1000',
      schema: z.object({ id: z.string(), rows: z.coerce.number() }),
    })
    return { hashes, ...periods, index }
  }
  async function forget(...tables: ('issue_hash' | 'issue' | 'hash_hour' | 'hash_day')[]): Promise<void> {
    for (const table of tables) await world.control.db.deleteFrom(table).execute()
  }
  const issueIdOf = async (title: string) => {
    const row = await world.control.db
      .selectFrom('issue')
      .select('id')
      .where('title', 'like', `${title}%`)
      .executeTakeFirstOrThrow()
    return row.id
  }
  const now = () => world.clock.now
  const mixed = (): SentError[] => [
    { type: 'TypeError', user: 'ada', release: 'shop@1' },
    { type: 'TypeError', user: 'bob', release: 'shop@2', at: now() - 2 * hourMs, isHandled: false },
    { type: 'RangeError', user: 'ada', at: now() - 20 * dayMs },
    { type: 'RangeError', at: now() - 26 * hourMs },
  ]

  test('brings back issues, totals, hours, days and users that the control database has lost', async () => {
    await send(...mixed())
    world.clock.now += 1_000
    await send({ type: 'TypeError', user: 'cy' })
    const before = await derived()
    await forget('issue_hash', 'issue', 'hash_hour', 'hash_day')
    expect(await run()).toMatchObject({ issues: 2 })
    expect(await derived()).toEqual(before)
  })

  test('brings back the stats of projects and the recommended events', async () => {
    await send(...mixed())
    world.clock.now += 1_000
    await send({ type: 'TypeError', user: 'cy', environment: 'production' })
    await telemetry.command(
      `INSERT INTO logs (project_id, timestamp, received_at, batch_id) VALUES (${world.web}, now64(6), fromUnixTimestamp64Milli(${now()}), 'inbox:1')`,
    )
    const { db } = world.control
    const known = async () => ({
      stats: await db.selectFrom('project_stats').selectAll().execute(),
      recommended: await db.selectFrom('recommended_event').selectAll().orderBy('group_hash').execute(),
    })
    await db
      .updateTable('project_stats')
      .set(({ ref }) => ({ item_count: ref('event_count'), sent_kinds: 2 }))
      .execute()
    const before = await known()
    expect(before).toMatchObject({ stats: [{ event_count: 5 }], recommended: [{}, {}] })
    for (const table of ['project_stats', 'recommended_event'] as const) await db.deleteFrom(table).execute()
    await run()
    expect(await known()).toEqual(before)

    // As a backup has them: a batch behind.
    await db
      .updateTable('project_stats')
      .set({ event_count: 4, updated_at: 1, last_event_id: 'a', sent_kinds: 0 })
      .execute()
    await db.updateTable('recommended_event').set({ rank: 1, event_id: 'a' }).execute()
    await requestReconciliation(db, now())
    await run()
    expect(await known()).toEqual(before)
  })

  test('brings a hash up to date that the restored copy knows as it was', async () => {
    await send({ type: 'TypeError', user: 'ada', release: 'shop@1' })
    const { db } = world.control
    const copy = await db.selectFrom('issue_hash').selectAll().execute()
    const hours = await db.selectFrom('hash_hour').selectAll().execute()
    const days = await db.selectFrom('hash_day').selectAll().execute()
    world.clock.now += hourMs
    await send({ type: 'TypeError', user: 'bob', release: 'shop@2' }, { type: 'TypeError', at: now() - 30 * hourMs })
    const before = await derived()
    await forget('issue_hash', 'hash_hour', 'hash_day')
    await db.insertInto('issue_hash').values(copy).execute()
    await db.insertInto('hash_hour').values(hours).execute()
    await db.insertInto('hash_day').values(days).execute()
    await requestReconciliation(db, now())
    expect(await run()).toMatchObject({ issues: 0, totals: 1 })
    expect(await derived()).toEqual(before)
  })

  test('takes back what was counted twice', async () => {
    await send({ user: 'ada' }, {})
    const before = await derived()
    for (const table of ['issue_hash', 'hash_hour', 'hash_day'] as const)
      await world.control.db.updateTable(table).set({ event_count: 5 }).execute()
    expect(await run()).toMatchObject({ totals: 1, hours: 1 })
    expect(await derived()).toEqual(before)
  })

  test('indexes an event that the index lacks, and takes out what stands in it twice', async () => {
    await send({}, {}, { at: now() - 2 * hourMs })
    const before = await derived()
    const [first, second] = before.index.map(row => row.id)
    await telemetry.command(`DELETE FROM event_index WHERE event_id = '${first}'`)
    await telemetry.command(`INSERT INTO event_index SELECT * FROM event_index WHERE event_id = '${second}'`, {
      insert_deduplicate: 0,
    })
    expect((await derived()).index).not.toEqual(before.index)
    expect(await run()).toMatchObject({ index: 2, totals: 0 })
    expect(await derived()).toEqual(before)
  })

  test('one node at a time, and what one leaves the next goes on with', async () => {
    await send(...mixed())
    await forget('hash_hour', 'hash_day')
    await holdLease(world.control.db, { name: 'reconcile', holder: 'another' }, now())
    expect((await run()).compared).toBe(null)
    world.clock.now += 61_000 // the other was killed: soon after, this one goes on
    let asked = 0
    expect((await run({ isStopping: () => ++asked > 2 })).compared).toBeLessThan(3)
    const rest = await run({ holder: 'third' })
    expect(rest.compared).toBeGreaterThan(0)
    await world.control.db.deleteFrom('reconciled_day').execute()
    expect(await run()).toMatchObject({ hours: 0, totals: 0 })
  })

  test('a batch that is committed while a day is compared is counted once', async () => {
    await send({})
    await forget('hash_hour', 'hash_day')
    await world.control.db.updateTable('issue_hash').set({ event_count: 0 }).execute()
    const late = { done: false }
    const racing: Telemetry = {
      ...telemetry,
      query: async query => {
        // After the counters were read and before the events are.
        if (!late.done && query.query.includes('GROUP BY group_hash, period')) {
          late.done = true
          await send({}, {})
        }
        return telemetry.query(query)
      },
    }
    const options = { control: world.control, telemetry: racing, layout: single, retentionDays: 90, holder: 'test' }
    await reconcile({ ...options, log: silentLog as never, isStopping: () => false }, now)
    expect(late.done).toBe(true)
    expect((await derived()).hashes.map(row => row.event_count)).toEqual([3])
    await world.control.db.deleteFrom('reconciled_day').execute()
    expect(await run()).toMatchObject({ totals: 0, hours: 0, issues: 0 })
  })

  // The rest asks nothing more of the control database.
  if (dialect === 'postgres') return

  test('finds nothing to do where everything agrees, and compares a day once', async () => {
    await send(...mixed())
    const before = await derived()
    expect(await run()).toEqual({ compared: 3, issues: 0, totals: 0, hours: 0, days: 0, index: 0 })
    expect(await derived()).toEqual(before)
    expect((await run()).compared).toBe(0)
  })

  test('adds to totals that also count what retention has dropped, and only after a restore', async () => {
    await send({ type: 'OldError', at: now() - 20 * dayMs }, { type: 'OldError' }, { type: 'OldError' })
    await telemetry.command(
      `ALTER TABLE events DELETE WHERE timestamp < fromUnixTimestamp64Milli(${now() - 10 * dayMs})`,
      { mutations_sync: 1 },
    )
    const short = { retentionDays: 10 }
    const total = async () => (await derived()).hashes.map(row => row.event_count)
    expect(await run(short)).toMatchObject({ totals: 0, issues: 0 })
    expect(await total()).toEqual([3])
    await requestReconciliation(world.control.db, now())
    await world.control.db.updateTable('hash_day').set({ event_count: 1 }).where('event_count', '=', 2).execute()
    await world.control.db.updateTable('issue_hash').set({ event_count: 2 }).execute()
    expect(await run(short)).toMatchObject({ totals: 1 })
    expect(await total()).toEqual([3])
  })

  test('leaves a batch alone that is stored and not yet committed', async () => {
    await send({ type: 'TypeError' })
    const { control } = world
    const cursor = await control.db.selectFrom('inbox_cursor').selectAll().executeTakeFirstOrThrow()
    await send({ type: 'TypeError' }, { type: 'NewError' })
    const after = await derived()
    // As it was while the rows of the second batch were there and its transaction was not.
    await control.db.updateTable('inbox_cursor').set({ batch: cursor.batch }).execute()
    await control.db.updateTable('issue_hash').set({ event_count: 1 }).where('event_count', '=', 2).execute()
    for (const table of ['hash_hour', 'hash_day'] as const)
      await control.db.updateTable(table).set({ event_count: 1 }).where('event_count', '=', 2).execute()
    const fresh = await issueIdOf('NewError')
    const [hash] = await control.db
      .deleteFrom('issue_hash')
      .where('issue_id', '=', fresh)
      .returning('group_hash')
      .execute()
    for (const table of ['hash_hour', 'hash_day'] as const)
      await control.db
        .deleteFrom(table)
        .where('group_hash', '=', hash?.group_hash ?? '')
        .execute()
    expect(await run()).toMatchObject({ issues: 0, totals: 0, hours: 0 })
    await control.db
      .updateTable('inbox_cursor')
      .set({ batch: cursor.batch + 1 })
      .execute()
    await control.db.deleteFrom('reconciled_day').execute()
    expect(await run()).toMatchObject({ issues: 1, totals: 1 })
    expect((await derived()).hashes).toEqual(after.hashes)
  })

  test('a deleted issue does not come back, neither before nor after its events are purged', async () => {
    await send({ type: 'GoneError' }, { type: 'KeptError' })
    await deleteIssues(world.context, { scope: [world.web], issueIds: [await issueIdOf('GoneError')] })
    expect(await run()).toMatchObject({ issues: 0, totals: 0 })
    world.clock.now += 3 * hourMs
    await purgeDeleted(world.control, telemetry, single, now())
    await world.control.db.deleteFrom('reconciled_day').execute()
    expect(await run()).toMatchObject({ issues: 0, totals: 0 })
    expect((await derived()).hashes.map(row => row.title)).toEqual(['KeptError: KeptError happened'])
  })

  test('a merged issue keeps its hashes, and each gets back what it lacks', async () => {
    await send({ type: 'OneError' }, { type: 'TwoError' }, { type: 'TwoError' })
    const [one, two] = [await issueIdOf('OneError'), await issueIdOf('TwoError')]
    await mergeIssues(world.context, { projectId: world.web, targetIssueId: one, issueIds: [two] })
    await world.control.db.updateTable('issue_hash').set({ event_count: 0 }).execute()
    expect(await run()).toMatchObject({ totals: 2 })
    const rows = await world.control.db.selectFrom('issue_hash').select(['issue_id', 'event_count']).execute()
    expect(rows.map(row => [row.issue_id, row.event_count]).sort()).toEqual([
      [one, 1],
      [one, 2],
    ])
  })
})
