/** The mirror of issue states in telemetry: reads are right whether or not the job that writes it has run, and they never write. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { skipBeyond } from '#domain/issues/change-log/read-changes.ts'
import { archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { deleteIssues } from '#domain/issues/commands/delete-issues.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { undoChange } from '#domain/issues/commands/undo-change.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { mirrorColumns } from '#domain/issues/mirror/mirror-rows.ts'
import { readPendingStates } from '#domain/issues/mirror/pending-states.ts'
import { catchUpMirror, isAheadOfLog, isMirrorBehind, sweepMirror } from '#domain/issues/mirror/write-mirror.ts'
import { startMirrorJob } from '#jobs/mirror-issues.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { Control, ControlLocation } from '#store/control/open-control.ts'
import { requestReconciliation } from '#store/control/request-reconciliation.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { isLong } from '../long.ts'
import { viewAs } from '../view-as.ts'
import { digestEvents } from './digest-events.ts'
import { onEachEngine, silentLog } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

let store: TelemetryUnderTest
beforeAll(async () => {
  store = await borrowTelemetry()
})
afterAll(() => store?.stop())

onEachEngine(({ newMigrated, open }) => {
  let place: ControlLocation
  let world: World
  let batches = 0

  beforeEach(async () => {
    for (const table of ['events', 'event_index', 'issue_state'])
      await store.telemetry.command(`TRUNCATE TABLE ${table}`)
    place = await newMigrated()
    world = await makeWorld(open(place))
    world.clock.now = Date.now()
  })

  const stores = (control = world.control) => ({ control, telemetry: store.telemetry })
  const always = { now: Date.now, mayGoOn: async () => true }
  const catchUp = () => catchUpMirror(stores(), always)

  async function send(...types: string[]): Promise<void> {
    const { rows } = await digestEvents(
      world,
      types.map(type => ({ type, user: 'ada' })),
    )
    batches += 1
    await writeEvents(store.telemetry, {
      rows: rows.events,
      batchId: `batch-${batches}`,
      mayHaveArrived: false,
      isSuspect: false,
    })
  }

  const viewerOf = (control: Control) => {
    const user = { id: world.userId, name: 'Ada', email: 'ada@example.com' }
    const projects = [{ id: world.web, slug: 'web', name: 'web', isInternal: false }]
    return viewAs({ control, telemetry: store.telemetry }, { user, projects, now: world.clock.now + 1_000 })
  }

  /** `has:user` is about single events, so telemetry finds the issues. */
  async function list(text: string, control = world.control): Promise<string[]> {
    const parsed = parseSearch(`has:user ${text}`)
    if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
    const { issues } = await listIssues(viewerOf(control), {
      terms: parsed.terms,
      rangeMs: 86_400_000,
      sort: 'events',
      limit: 100,
    })
    return issues.map(issue => `${issue.title.split(':')[0]} ${issue.events}`).sort()
  }
  const idOf = async (type: string) =>
    (
      await world.control.db
        .selectFrom('issue')
        .select('id')
        .where('title', 'like', `${type}%`)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
    ).id
  const at = (...issueIds: number[]) => ({ scope: [world.web], issueIds })
  const countStates = async () => {
    const [row] = await store.telemetry.query({
      query: 'SELECT count() AS rows FROM issue_state LIMIT 1',
      schema: z.object({ rows: z.coerce.number() }),
    })
    return row?.rows ?? 0
  }

  /** Changes on one node, reads on another, and nothing in between. */
  async function checkChanges(settle: () => Promise<unknown>): Promise<void> {
    const other = open(place)
    await send('AError', 'AError', 'BError', 'CError')
    await settle()
    expect(await list('is:unresolved', other)).toEqual(['AError 2', 'BError 1', 'CError 1'])
    const [a, b, c] = [await idOf('AError'), await idOf('BError'), await idOf('CError')]
    const done = await resolveIssues(world.context, { ...at(a), how: { kind: 'now' } })
    await settle()
    expect(await list('is:unresolved', other)).toEqual(['BError 1', 'CError 1'])
    expect(await list('is:resolved', other)).toEqual(['AError 2'])
    await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' })
    await mergeIssues(world.context, { projectId: world.web, targetIssueId: a, issueIds: [b] })
    await settle()
    expect(await list('', other)).toEqual(['AError 3', 'CError 1'])
    await deleteIssues(world.context, at(a))
    await settle()
    expect(await list('', other)).toEqual(['CError 1'])
    world.clock.now += 1_000
    await send('AError')
    await settle()
    // Without the events of the deleted issue, which are still there until they are purged.
    expect(await list('', other)).toEqual(['AError 1', 'CError 1'])
    await archiveIssues(world.context, { ...at(c), until: { kind: 'forever' } })
    await settle()
    expect(await list('!is:archived', other)).toEqual(['AError 1'])
  }

  test('the next read on another node shows a change while the mirror stands still, and writes nothing', async () => {
    await checkChanges(async () => undefined)
    expect(await countStates()).toBe(0)
  })

  test('reads are the same when the mirror has caught up with each change', async () => {
    await checkChanges(async () => {
      await catchUp()
      expect(await readPendingStates(viewAs({ control: world.control }, { projects: [world.web] }))).toEqual({
        issueIds: [],
        rows: [],
      })
    })
  })

  test('a mirror that is halfway through the log and a read that overlays the rest give the whole', async () => {
    await send('AError', 'BError')
    await catchUp()
    await send('CError')
    await resolveIssues(world.context, { ...at(await idOf('AError')), how: { kind: 'now' } })
    expect(await list('is:unresolved')).toEqual(['BError 1', 'CError 1'])
  })

  test('texts of any kind survive the way through a pending row', async () => {
    await send('AError')
    const title = `It's a "test" \\ 100% \t of\n{braces} – ünïcode 🚰`
    await world.control.db.updateTable('issue').set({ title, culprit: title }).execute()
    expect(await list('"100%" braces')).toEqual([`${title} 1`])
    await catchUp()
    expect(await list('"100%" braces')).toEqual([`${title} 1`])
  })

  test('a write that was delayed never replaces a newer state', async () => {
    await send('AError')
    await catchUp()
    const columns = Object.keys(mirrorColumns).join(', ')
    const copy = async () => store.telemetry.command(`CREATE TABLE late_state AS issue_state`)
    await copy()
    await store.telemetry.command(`INSERT INTO late_state SELECT * FROM issue_state`)
    await resolveIssues(world.context, { ...at(await idOf('AError')), how: { kind: 'now' } })
    await catchUp()
    await store.telemetry.command(
      `INSERT INTO issue_state (${columns}, is_deleted, version) SELECT ${columns}, is_deleted, version FROM late_state`,
    )
    await store.telemetry.command('DROP TABLE late_state')
    expect(await list('is:resolved')).toEqual(['AError 1'])
    await deleteIssues(world.context, at(await idOf('AError')))
    await catchUp()
    expect(await list('')).toEqual([])
  })

  test('a job that was ended between two portions continues at its cursor', async () => {
    await send('AError')
    expect(await catchUpMirror(stores(), { now: Date.now, mayGoOn: async () => false })).toBe(0)
    expect(await isMirrorBehind(world.control)).toBe(true)
    expect(await catchUp()).toBeGreaterThan(0)
    expect(await catchUp()).toBe(0)
    expect(await isMirrorBehind(world.control)).toBe(false)
  })

  test('an issue without a log, as after an upgrade, is found once the mirror is swept; until then reads wait', async () => {
    await send('AError', 'BError')
    await store.telemetry.command(
      `INSERT INTO issue_state (project_id, group_hash, issue_id, is_deleted, version) VALUES (${world.web}, '${'f'.repeat(32)}', 77, 0, ${Date.now()})`,
    )
    await world.control.db.deleteFrom('issue_change').execute()
    await requestReconciliation(world.control.db, Date.now())
    await expect(
      readPendingStates(viewAs({ control: world.control }, { projects: [world.web] }), undefined, { timeoutMs: 200 }),
    ).rejects.toMatchObject({
      code: 'mirror_behind',
    })
    const reading = list('')
    await catchUp()
    expect(await reading).toEqual(['AError 1', 'BError 1'])
    const [stale] = await store.telemetry.query({
      query: `SELECT is_deleted AS deleted FROM issue_state FINAL WHERE issue_id IN (0, 77) LIMIT 1`,
      schema: z.object({ deleted: z.coerce.number() }),
    })
    expect(stale?.deleted).toBe(1)
    await resolveIssues(world.context, { ...at(await idOf('AError')), how: { kind: 'now' } })
    await catchUp()
    expect(await list('is:unresolved')).toEqual(['BError 1'])
  })

  test('states from after a backup that was restored are replaced', async () => {
    await send('AError')
    await catchUp()
    expect(await isAheadOfLog(stores())).toBe(false)
    // What a later control database would have written.
    await store.telemetry.command(
      `INSERT INTO issue_state SELECT * REPLACE ('resolved' AS status, version + 1000 AS version) FROM issue_state FINAL`,
    )
    expect(await isAheadOfLog(stores())).toBe(true)
    const job = startMirrorJob({ ...stores(), log: silentLog })
    await expect.poll(() => list('is:unresolved')).toEqual(['AError 1'])
    await job.stop()
    expect(await isAheadOfLog(stores())).toBe(false)
  })

  test('thousands of issues changed at once are right in the next read, and back', async () => {
    await send('AError')
    const count = isLong ? 10_000 : 2_000
    const issueIds = await addIssues(count)
    await sweepMirror(stores(), always)
    const bulk = { scope: [world.web], issueIds: [...issueIds.slice(1), await idOf('AError')] }
    const done = await resolveIssues(world.context, { ...bulk, how: { kind: 'now' } })
    expect(done).toMatchObject({ ok: true, changed: count })
    expect(await list('is:resolved')).toEqual(['AError 1'])
    expect(await list('is:unresolved')).toEqual([])
    await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' })
    expect(await list('is:unresolved')).toEqual(['AError 1'])
    // More than a read can carry: it waits for the mirror.
    const bound = { maxIssues: count / 2, timeoutMs: 60_000 }
    await expect(
      readPendingStates(viewAs({ control: world.control }, { projects: [world.web] }), undefined, {
        ...bound,
        timeoutMs: 200,
      }),
    ).rejects.toThrow(/prepared/)
    const waiting = readPendingStates(viewAs({ control: world.control }, { projects: [world.web] }), undefined, bound)
    await catchUp()
    expect((await waiting).issueIds.length).toBeLessThanOrEqual(bound.maxIssues)
    expect(await list('is:unresolved')).toEqual(['AError 1'])
  }, 120_000)

  test('two jobs at once leave the mirror as control has it', async () => {
    const jobs = [
      startMirrorJob({ ...stores(), log: silentLog }),
      startMirrorJob({ ...stores(open(place)), log: silentLog }),
    ]
    for (const type of ['AError', 'BError', 'CError']) {
      await send(type)
      for (const job of jobs) job.wake()
      await resolveIssues(world.context, { ...at(await idOf(type)), how: { kind: 'now' } })
    }
    await expect.poll(() => isMirrorBehind(world.control)).toBe(false)
    expect(await list('is:resolved')).toEqual(['AError 1', 'BError 1', 'CError 1'])
    await Promise.all(jobs.map(job => job.stop()))
    expect(await skipBeyond(world.control, 0)).toBeGreaterThan(0)
  })

  /** Without events; only their states matter. */
  async function addIssues(count: number): Promise<number[]> {
    const ids: number[] = []
    const issue = {
      project_id: world.web,
      title: 'Error: of many',
      culprit: '/',
      kind: 'error',
      level: 'error',
      status: 'unresolved',
      created_at: world.clock.now,
    } as const
    const counted = {
      project_id: world.web,
      group_version: 1,
      event_count: 1,
      first_seen: world.clock.now,
      last_seen: world.clock.now,
      first_release: '',
      last_release: '',
      last_event_id: '',
      user_sketch: new Uint8Array(),
      user_count: 0,
    }
    await world.control.db.transaction().execute(async trx => {
      for (let start = 0; start < count; start += 500) {
        const made = await trx
          .insertInto('issue')
          .values(Array.from({ length: 500 }, (_, index) => ({ ...issue, number: 10 + start + index })))
          .returning('id')
          .execute()
        await trx
          .insertInto('issue_hash')
          .values(made.map(({ id }) => ({ ...counted, issue_id: id, group_hash: `${id}`.padStart(32, '0') })))
          .execute()
        ids.push(...made.map(({ id }) => id))
      }
    })
    return ids
  }
})
