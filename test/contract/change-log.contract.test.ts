/** The log of changes to issues: readers get every change once, in the order of commits, whatever order the ids have. */
import { beforeEach, expect, test } from 'vitest'
import { appendChanges, type IssueChange } from '#domain/issues/change-log/append-changes.ts'
import {
  beginCursor,
  findCursor,
  moveChangeCursor,
  placeChanges,
  readChanges,
  readHead,
  skipBeyond,
  trimChanges,
} from '#domain/issues/change-log/read-changes.ts'
import { archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { assignIssues, prioritizeIssues } from '#domain/issues/commands/assign-issues.ts'
import { deleteIssues, discardIssues } from '#domain/issues/commands/delete-issues.ts'
import { mergeIssues, unmergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { reopenIssues, resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { undoChange, undoMerge } from '#domain/issues/commands/undo-change.ts'
import { type MirrorRow, readAllMirrorRows, readMirrorRows } from '#domain/issues/mirror/mirror-rows.ts'
import { createTeam, deleteTeam } from '#domain/members/teams.ts'
import { sweepIssues } from '#jobs/sweep-issues.ts'
import { digestEvents } from './digest-events.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, startedAt, type World } from './workflow-world.ts'

const dayMs = 86_400_000

onEachEngine(({ newAcme, dialect }) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
  })

  const change = (issueId: number, at = startedAt): IssueChange => ({
    projectId: world.web,
    issueId,
    kind: 'resolved',
    at,
    actor: 'test',
  })
  const append = (...changes: IssueChange[]) =>
    world.control.db.transaction().execute(trx => appendChanges(trx, changes))
  const read = async (after: number) => {
    await placeChanges(world.control)
    return readChanges(world.control, after, 100)
  }
  const endOf = (rows: { position: number }[], before: number) => rows.at(-1)?.position ?? before

  test.runIf(dialect === 'postgres')('a change that commits after a later one is not skipped', async () => {
    const { db } = world.control
    let commitFirst: () => void = () => undefined
    let appended: () => void = () => undefined
    const isAppended = new Promise<void>(resolve => {
      appended = resolve
    })
    const first = db.transaction().execute(async trx => {
      await appendChanges(trx, [change(1)])
      appended()
      await new Promise<void>(resolve => {
        commitFirst = resolve
      })
    })
    await isAppended
    await append(change(2))
    const early = await read(0)
    expect(early.map(({ issueId }) => issueId)).toEqual([2])
    commitFirst()
    await first
    const late = await read(endOf(early, 0))
    expect(late.map(({ issueId }) => issueId)).toEqual([1])
    // By id it came first.
    const ids = await db.selectFrom('issue_change').select('issue_id').orderBy('id').execute()
    expect(ids.map(row => row.issue_id)).toEqual([1, 2])
  })

  test('readers on several nodes agree on the order, and none sees a change twice', async () => {
    await append(...Array.from({ length: 50 }, (_, index) => change(index + 1)))
    await Promise.all([1, 2, 3, 4].map(() => placeChanges(world.control)))
    await append(change(51))
    const rows = await read(0)
    expect(rows.map(({ issueId }) => issueId)).toEqual(Array.from({ length: 51 }, (_, index) => index + 1))
    expect(new Set(rows.map(({ position }) => position)).size).toBe(51)
    expect(endOf(rows, 0)).toBe(await readHead(world.control))
  })

  test('a change cannot be appended outside of a transaction', async () => {
    await expect(appendChanges(world.control.db, [change(1)])).rejects.toThrow(/transaction/)
  })

  test('a cursor never moves back, and none comes back that was deleted', async () => {
    await moveChangeCursor(world.control, 'test', 3, startedAt)
    expect(await findCursor(world.control, 'test')).toBeNull()
    await beginCursor(world.control, 'test', 3, startedAt)
    for (const position of [7, 5]) await moveChangeCursor(world.control, 'test', position, startedAt)
    expect(await findCursor(world.control, 'test')).toBe(7)
    expect(await skipBeyond(world.control, 1_000)).toBe(1_001)
    await append(change(1))
    expect((await read(7)).map(({ position }) => position)).toEqual([1_002])
  })

  test('rows are kept until every reader has passed them, and a reader that waits too long begins anew', async () => {
    const { control } = world
    await control.db.deleteFrom('change_cursor').execute()
    await append(change(1), change(2), change(3, startedAt + 20 * dayMs))
    await placeChanges(control)
    await beginCursor(control, 'fast', 3, startedAt + 20 * dayMs)
    await beginCursor(control, 'slow', 1, startedAt + 20 * dayMs)
    expect(await trimChanges(control, startedAt + 20 * dayMs)).toBe(1)
    expect((await read(0)).map(({ issueId }) => issueId)).toEqual([2, 3])
    expect(await findCursor(control, 'slow')).toBe(1)
    await moveChangeCursor(control, 'fast', 4, startedAt + 85 * dayMs)
    expect(await trimChanges(control, startedAt + 85 * dayMs)).toBe(2)
    expect(await findCursor(control, 'slow')).toBeNull()
    expect(await findCursor(control, 'fast')).toBe(4)
  })

  test('the log goes with its project', async () => {
    await append(change(1))
    await world.control.db.deleteFrom('project').where('id', '=', world.web).execute()
    expect(await read(0)).toEqual([])
  })

  test('digest tells of new issues, regressions and escalations with the event behind them', async () => {
    await digestEvents(world, [{ type: 'RangeError', release: 'web@1', eventId: 'a'.repeat(32) }])
    const fresh = await read(0)
    const issueId = fresh[0]?.issueId ?? 0
    expect(fresh[0]).toMatchObject({ kind: 'new', projectId: world.web, at: startedAt, actor: 'hydrant' })
    expect(fresh[0]?.detail).toEqual({ eventId: 'a'.repeat(32), release: 'web@1' })
    await resolveIssues(world.context, { scope: [world.web], issueIds: [issueId], how: { kind: 'now' } })
    world.clock.now += 1_000
    await digestEvents(world, [{ type: 'RangeError', release: 'web@2', eventId: 'b'.repeat(32) }])
    const [resolved, regressed] = await read(endOf(fresh, 0))
    expect(resolved).toMatchObject({ kind: 'resolved', issueId, actor: `user:${world.userId}` })
    expect(resolved?.detail).toEqual({ from: { status: 'unresolved' }, to: { status: 'resolved' } })
    expect(regressed).toMatchObject({ kind: 'regressed', issueId, at: startedAt + 1_000 })
    expect(regressed?.detail).toMatchObject({
      from: { status: 'resolved' },
      to: { status: 'unresolved', substatus: 'regressed' },
      eventId: 'b'.repeat(32),
      release: 'web@2',
    })
    await digestEvents(world, [{ type: 'LoudError', at: world.clock.now - 3 * dayMs }])
    const quiet = await read(0)
    await digestEvents(
      world,
      Array.from({ length: 40 }, () => ({ type: 'LoudError' })),
    )
    const loud = await read(endOf(quiet, 0))
    expect(loud).toMatchObject([{ kind: 'escalating', detail: { events: 40, to: { substatus: 'escalating' } } }])
    expect(loud[0]?.detail.eventId).toMatch(/^[0-9a-f]{32}$/)
  })

  /** What a reader of the log knows after each step, against all that control has. */
  test('whatever changes an issue or its hashes names it in the log', async () => {
    const { control, context, clock } = world
    const known = new Map<number, MirrorRow[]>()
    let cursor = 0
    const follow = async () => {
      const changes = await read(cursor)
      cursor = endOf(changes, cursor)
      const ids = [...new Set(changes.map(({ issueId }) => issueId))]
      const rows = Map.groupBy(
        await readMirrorRows(() => control.db.selectFrom('issue_hash'), ids),
        row => row.issue_id,
      )
      for (const id of ids) known.set(id, rows.get(id) ?? [])
      return changes
    }
    const sorted = (rows: MirrorRow[]) => rows.map(row => JSON.stringify(row)).sort()
    const check = async (kind: string) => {
      const changes = await follow()
      expect(changes.map(each => each.kind)).toContain(kind)
      const all: MirrorRow[] = []
      for await (const rows of readAllMirrorRows(control.db)) all.push(...rows)
      expect(sorted([...known.values()].flat()), kind).toEqual(sorted(all))
    }
    for (const type of ['A', 'B', 'C', 'D']) await digestEvents(world, [{ type: `${type}Error` }])
    await check('new')
    const [a = 0, b = 0, c = 0, d = 0] = [...known.keys()].sort((one, two) => one - two)
    const at = (...issueIds: number[]) => ({ scope: [world.web], issueIds })
    const undo = (token: string) => undoChange(context, { mayDo: () => true, scope: [world.web], undo: token })
    const tokenOf = (done: { ok: boolean; undo?: string }) => done.undo ?? ''
    await digestEvents(world, [{ type: 'AError', at: clock.now - dayMs }])
    await check('edited')
    await digestEvents(world, [{ type: 'AError', isHandled: false }])
    await check('edited')
    const resolved = await resolveIssues(context, { ...at(a, b), how: { kind: 'now' } })
    await check('resolved')
    await undo(tokenOf(resolved))
    await check('undone')
    await archiveIssues(context, { ...at(a), until: { kind: 'until_date', at: clock.now + 1_000 } })
    await check('archived')
    await reopenIssues(context, at(a))
    await check('reopened')
    await assignIssues(context, { ...at(b), assignee: `user:${world.userId}` })
    await check('assigned')
    await prioritizeIssues(context, { ...at(b), priority: 'low' })
    await check('priority')
    const merged = await mergeIssues(context, { projectId: world.web, targetIssueId: a, issueIds: [b, c] })
    await check('merged')
    await undoMerge(context, { projectId: world.web, targetIssueId: a, moved: merged.ok ? merged.moved : [] })
    await check('unmerged')
    await mergeIssues(context, { projectId: world.web, targetIssueId: a, issueIds: [b] })
    await check('merged')
    const [guest] = (await readMirrorRows(() => control.db.selectFrom('issue_hash'), [a])).filter(
      row => row.group_hash !== known.get(c)?.[0]?.group_hash,
    )
    await unmergeIssues(context, {
      projectId: world.web,
      issueId: a,
      hashes: [{ version: await versionOf(guest?.group_hash ?? ''), hash: guest?.group_hash ?? '' }],
    })
    await check('unmerged')
    const deleted = await deleteIssues(context, at(c))
    await check('deleted')
    await digestEvents(world, [{ type: 'CError' }])
    await check('new')
    await undo(tokenOf(deleted))
    await check('restored')
    await discardIssues(context, at(d))
    await check('discarded')
    const { organization_id } = await control.db
      .selectFrom('project')
      .select('organization_id')
      .where('id', '=', world.web)
      .executeTakeFirstOrThrow()
    const team = await createTeam(context, { organizationId: organization_id, slug: 'shop', name: '', userIds: [] })
    const teamId = team.ok ? team.teamId : 0
    await assignIssues(context, { ...at(a), assignee: `team:${teamId}` })
    await check('assigned')
    await deleteTeam(context, { organizationId: organization_id, teamId })
    await check('assigned')
    await archiveIssues(context, { ...at(a), until: { kind: 'until_date', at: clock.now + 1_000 } })
    await check('archived')
    await sweepIssues(control, clock.now + 2_000)
    await check('unarchived')
    await sweepIssues(control, clock.now + 8 * dayMs)
    await check('ongoing')
  })

  async function versionOf(hash: string): Promise<number> {
    const row = await world.control.db
      .selectFrom('issue_hash')
      .select('group_version')
      .where('group_hash', '=', hash)
      .executeTakeFirstOrThrow()
    return row.group_version
  }
})
