import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { mayDo, type Verb } from '#domain/access/permissions.ts'
import { archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { assignIssues, prioritizeIssues } from '#domain/issues/commands/assign-issues.ts'
import { commentOnIssue } from '#domain/issues/commands/comment-on-issue.ts'
import { deleteIssues, discardIssues } from '#domain/issues/commands/delete-issues.ts'
import { reopenIssues, resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { undoChange } from '#domain/issues/commands/undo-change.ts'
import { addUsers, countUsersIn, emptyUserSketch, encodeUserSketch } from '#lib/user-sketch.ts'
import { until } from '../start-hydrant.ts'
import { onEachEngine } from './on-each-engine.ts'
import { hashOf, makeWorld, startedAt, type World } from './workflow-world.ts'

onEachEngine(({ newAcme, dialect }) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
  })

  const issue = (id: number) =>
    world.control.db.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const activity = async () =>
    (await world.control.db.selectFrom('issue_activity').selectAll().orderBy('id').execute()).map(
      ({ issue_id, actor, kind, detail }) => ({ issue_id, actor, kind, detail: JSON.parse(detail) }),
    )
  const actions = async () =>
    (await world.control.db.selectFrom('audit').select(['action', 'target']).orderBy('id').execute())
      .map(({ action, target }) => `${action} ${target}`)
      .filter(line => line.startsWith('issue.'))
  const hashes = () => world.control.db.selectFrom('issue_hash').selectAll().orderBy('group_hash').execute()
  const at = (...issueIds: number[]) => ({ scope: [world.web], issueIds })
  const addRelease = (version: string, first_seen: number) =>
    world.control.db.insertInto('project_release').values({ project_id: world.web, version, first_seen }).execute()

  test('resolving is on record with who and when, happens once, and is undone exactly', async () => {
    const id = await world.addIssue({ release: 'shop@1.2.0' })
    const before = await issue(id)
    world.clock.now += 1_000
    const done = await resolveIssues(world.context, { ...at(id), how: { kind: 'now' } })
    expect(done).toMatchObject({ ok: true, changed: 1 })
    expect(await issue(id)).toMatchObject({
      status: 'resolved',
      status_detail: '{"kind":"now","release":"shop@1.2.0"}',
      status_at: startedAt + 1_000,
    })
    expect(await resolveIssues(world.context, { ...at(id), how: { kind: 'now' } })).toEqual({
      ok: true,
      changed: 0,
      undo: '',
    })
    const undo = done.ok ? done.undo : ''
    expect(await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo })).toEqual({
      ok: true,
      kind: 'resolved',
      changed: 1,
    })
    expect(await issue(id)).toEqual(before)
    expect(await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo })).toEqual({
      ok: true,
      kind: 'resolved',
      changed: 0,
    })
    const actor = `user:${world.userId}`
    expect(await activity()).toEqual([
      { issue_id: id, actor, kind: 'resolved', detail: { kind: 'now', release: 'shop@1.2.0' } },
      { issue_id: id, actor, kind: 'undone', detail: { kind: 'resolved' } },
    ])
    expect(await actions()).toEqual([`issue.resolve issue:${id}`, `issue.undo issue:${id}`])
  })

  test('the next release is the one after the newest that the project has', async () => {
    const id = await world.addIssue()
    const resolve = () => resolveIssues(world.context, { ...at(id), how: { kind: 'next_release' } })
    expect(await resolve()).toEqual({ ok: false, code: 'no_release' })
    await addRelease('shop@2.0.0', 1_000)
    await addRelease('shop@1.9.1', 2_000)
    expect(await resolve()).toMatchObject({ ok: true, changed: 1 })
    expect((await issue(id)).status_detail).toBe('{"kind":"next_release","after":"shop@2.0.0"}')
    const named = (version: string) => resolveIssues(world.context, { ...at(id), how: { kind: 'in_release', version } })
    expect(await named(' ')).toEqual({ ok: false, code: 'release_invalid' })
    expect(await named('shop@2.1.0')).toEqual({ ok: false, code: 'release_not_found' })
    await addRelease('shop@2.1.0', 3_000)
    expect(await named('shop@2.1.0')).toMatchObject({ ok: true, changed: 1 })
  })

  test('an archive counts from now on, and a person on two hashes is one person', async () => {
    const id = await world.addIssue({ events: 7, users: ['11', '12'], hashes: [hashOf(1), hashOf(2)] })
    const archive = (until: Parameters<typeof archiveIssues>[1]['until']) =>
      archiveIssues(world.context, { ...at(id), until })
    expect(await archive({ kind: 'until_events', more: 100 })).toMatchObject({ ok: true, changed: 1 })
    expect((await issue(id)).status_detail).toBe('{"kind":"until_events","more":100,"count":114}')
    expect(await archive({ kind: 'until_users', more: 5 })).toMatchObject({ ok: true, changed: 1 })
    expect((await issue(id)).status_detail).toBe('{"kind":"until_users","more":5,"count":7}')
    expect(await archive({ kind: 'until_events', more: 0 })).toEqual({ ok: false, code: 'count_invalid' })
    expect(await archive({ kind: 'until_date', at: startedAt })).toEqual({ ok: false, code: 'date_passed' })
    expect(await archive({ kind: 'until_escalating' })).toMatchObject({ ok: true, changed: 1 })
    expect(await reopenIssues(world.context, at(id))).toMatchObject({ ok: true, changed: 1 })
    expect(await reopenIssues(world.context, at(id))).toMatchObject({ ok: true, changed: 0 })
    expect(await issue(id)).toMatchObject({ status: 'unresolved', status_detail: '{}', substatus: 'new' })
  })

  test('an issue is assigned to members only', async () => {
    const id = await world.addIssue()
    const assign = (assignee: string) => assignIssues(world.context, { ...at(id), assignee })
    expect(await assign('user:nobody')).toEqual({ ok: false, code: 'assignee_not_found' })
    expect(await assign(world.userId)).toEqual({ ok: false, code: 'assignee_not_found' })
    const done = await assign(`user:${world.userId}`)
    expect(done).toMatchObject({ ok: true, changed: 1 })
    expect(await prioritizeIssues(world.context, { ...at(id), priority: 'high' })).toMatchObject({
      ok: true,
      changed: 1,
    })
    expect(
      await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' }),
    ).toMatchObject({
      changed: 1,
    })
    expect(await issue(id)).toMatchObject({ assignee: '', priority: 'high' })
  })

  test('an issue of a project outside the scope is not there', async () => {
    const mine = await world.addIssue()
    const theirs = await world.addIssue({ projectId: world.other })
    expect(await resolveIssues(world.context, { ...at(theirs), how: { kind: 'now' } })).toEqual({
      ok: false,
      code: 'issue_not_found',
    })
    expect(await commentOnIssue(world.context, { scope: [world.web], issueId: theirs, text: 'hi' })).toEqual({
      ok: false,
      code: 'issue_not_found',
    })
    expect(await resolveIssues(world.context, { scope: [], issueIds: [mine], how: { kind: 'now' } })).toEqual({
      ok: false,
      code: 'issue_not_found',
    })
    const done = await resolveIssues(world.context, { ...at(mine, theirs), how: { kind: 'now' } })
    expect(done).toMatchObject({ ok: true, changed: 1 })
    const undo = done.ok ? done.undo : ''
    expect(await undoChange(world.context, { mayDo: () => true, scope: [world.other], undo })).toEqual({
      ok: false,
      code: 'undo_not_found',
    })
    expect((await issue(theirs)).status).toBe('unresolved')
  })

  test('undoing takes the permission of the change it undoes', async () => {
    const id = await world.addIssue()
    const asMember = (undo: string) => ({ scope: [world.web], undo, mayDo: (verb: Verb) => mayDo('member', verb) })
    for (const remove of [deleteIssues, discardIssues]) {
      const done = await remove(world.context, at(id))
      const undo = done.ok ? done.undo : ''
      expect(await undoChange(world.context, asMember(undo))).toEqual({ ok: false, code: 'not_permitted' })
      expect(await hashes()).toEqual([])
      const asAdmin = { ...asMember(undo), mayDo: (verb: Verb) => mayDo('admin', verb) }
      expect(await undoChange(world.context, asAdmin)).toMatchObject({ ok: true, changed: 1 })
    }
    const resolved = await resolveIssues(world.context, { ...at(id), how: { kind: 'now' } })
    const undone = await undoChange(world.context, asMember(resolved.ok ? resolved.undo : ''))
    expect(undone).toEqual({ ok: true, kind: 'resolved', changed: 1 })
  })

  test('undo leaves alone what somebody has changed since, and ends after an hour', async () => {
    const [one, two] = [await world.addIssue(), await world.addIssue()]
    const done = await resolveIssues(world.context, { ...at(one, two), how: { kind: 'now' } })
    world.clock.now += 1_000
    await archiveIssues(world.context, { ...at(one), until: { kind: 'forever' } })
    const undo = { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' }
    expect(await undoChange(world.context, undo)).toMatchObject({ ok: true, changed: 1 })
    expect([(await issue(one)).status, (await issue(two)).status]).toEqual(['archived', 'unresolved'])
    world.clock.now += 2 * 3_600_000
    expect(await undoChange(world.context, undo)).toEqual({ ok: false, code: 'undo_expired' })
  })

  test('a comment is kept as it was written, without what no database can hold', async () => {
    const id = await world.addIssue()
    const comment = (text: string) => commentOnIssue(world.context, { scope: [world.web], issueId: id, text })
    expect(await comment(' \n')).toEqual({ ok: false, code: 'comment_empty' })
    expect(await comment('x'.repeat(10_001))).toEqual({ ok: false, code: 'comment_too_long' })
    expect(await comment('Seen <b>again</b>\0 ‮ after the deploy')).toEqual({ ok: true })
    expect((await activity()).map(({ detail }) => detail)).toEqual([{ text: 'Seen <b>again</b> ‮ after the deploy' }])
  })

  test('a deleted issue comes back as it was, with what was counted in the meantime', async () => {
    const id = await world.addIssue({ events: 5, users: ['1', '2'], release: 'a' })
    const before = await hashes()
    const done = await deleteIssues(world.context, at(id))
    expect(done).toMatchObject({ ok: true, changed: 1 })
    expect(await hashes()).toEqual([])
    expect(await deleteIssues(world.context, at(id))).toEqual({ ok: false, code: 'issue_not_found' })
    const undo = { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' }
    expect(await undoChange(world.context, undo)).toMatchObject({ ok: true, changed: 1 })
    expect(await hashes()).toEqual(before)

    const again = await deleteIssues(world.context, at(id))
    const stopgap = await world.addIssue({ events: 2, users: ['2', '3'], hashes: [hashOf(1)] })
    expect(await undoChange(world.context, { ...undo, undo: again.ok ? again.undo : '' })).toMatchObject({
      ok: true,
      changed: 1,
    })
    expect(await hashes()).toMatchObject([{ issue_id: id, event_count: 7, user_count: 3 }])
    expect(await world.control.db.selectFrom('issue').select('id').where('id', '=', stopgap).execute()).toEqual([])
    expect(await world.control.db.selectFrom('deleted_hash').select('issue_id').execute()).toEqual([])
  })

  test('hours and days of a deleted issue are not those of the next one, and come back with undo', async () => {
    const { db } = world.control
    const hash = { project_id: world.web, group_version: 1, group_hash: hashOf(1) }
    const usersOf = (...names: string[]) => encodeUserSketch(addUsers(emptyUserSketch, names))
    const count = async (period: number, event_count: number, user_sketch: Uint8Array | null) => {
      await db
        .insertInto('hash_hour')
        .values({ ...hash, hour: period, event_count, user_sketch })
        .execute()
      await db
        .insertInto('hash_day')
        .values({ ...hash, day: period, event_count, user_sketch })
        .execute()
    }
    const counted = async () => {
      const hours = await db
        .selectFrom('hash_hour')
        .select(['hour', 'event_count', 'user_sketch'])
        .orderBy('hour')
        .execute()
      const days = await db
        .selectFrom('hash_day')
        .select(['day', 'event_count', 'user_sketch'])
        .orderBy('day')
        .execute()
      const shown = (period: number, row: { event_count: number; user_sketch: Uint8Array | null }) =>
        `${period}: ${row.event_count} of ${countUsersIn(row.user_sketch ? [row.user_sketch] : [])}`
      expect(hours.map(row => shown(row.hour, row))).toEqual(days.map(row => shown(row.day, row)))
      return hours.map(row => shown(row.hour, row))
    }
    const id = await world.addIssue({ hashes: [hashOf(1)] })
    await count(1, 5, usersOf('1', '2'))
    await count(2, 3, usersOf('3'))
    await count(3, 1, null)
    const done = await deleteIssues(world.context, at(id))
    expect(await counted()).toEqual([])
    await world.addIssue({ number: 2, hashes: [hashOf(1)] })
    await count(1, 2, usersOf('2', '9'))
    await count(2, 1, null)
    await count(4, 1, usersOf('1'))
    const undo = { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' }
    expect(await undoChange(world.context, undo)).toMatchObject({ ok: true, changed: 1 })
    expect(await counted()).toEqual(['1: 7 of 3', '2: 4 of 1', '3: 1 of 0', '4: 1 of 1'])
    expect(await db.selectFrom('deleted_period').selectAll().execute()).toEqual([])
  })

  test('a discarded kind is remembered by all its hashes until that is undone', async () => {
    const id = await world.addIssue({ hashes: [hashOf(1), hashOf(2)] })
    const discarded = () =>
      world.control.db.selectFrom('discarded_hash').select(['group_hash', 'title']).orderBy('group_hash').execute()
    const done = await discardIssues(world.context, at(id))
    expect(await discarded()).toEqual([1, 2].map(number => ({ group_hash: hashOf(number), title: 'Error: 1' })))
    expect(await hashes()).toEqual([])
    expect(
      await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' }),
    ).toMatchObject({
      ok: true,
      changed: 1,
    })
    expect(await discarded()).toEqual([])
    expect((await hashes()).length).toBe(2)
  })

  /** Waits until a command waits for a row that a transaction holds. On SQLite it waits for the only connection, from the beginning. */
  const isBlocked = async () => {
    if (dialect !== 'postgres') return
    const blocked = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(async () => (await blocked.execute(world.control.db)).rows.length > 0)
  }

  /** PostgreSQL ends the one of the two whose turn to look for a deadlock comes first; on a slow machine that may be us. */
  const isDeadlock = (error: unknown) => (error as { code?: string }).code === '40P01'

  test('a command that waits for somebody who waits for it is tried again', async () => {
    const touch = (db: typeof world.control.db, id: number) =>
      db.updateTable('issue').set({ culprit: '/' }).where('id', '=', id).execute()
    const block = async () => {
      const [one, two] = [await world.addIssue(), await world.addIssue()]
      let resolving: ReturnType<typeof resolveIssues> | undefined
      const touching = world.control.db.transaction().execute(async trx => {
        await touch(trx, two)
        resolving = resolveIssues(world.context, { ...at(one, two), how: { kind: 'now' } })
        await isBlocked()
        await touch(trx, one)
      })
      const ended = await touching.then(
        () => false,
        error => {
          if (isDeadlock(error)) return true
          throw error
        },
      )
      expect(await resolving).toMatchObject({ ok: true, changed: 2 })
      return ended ? undefined : one
    }
    let touched: number | undefined
    for (let attempt = 0; attempt < 5 && touched === undefined; attempt++) touched = await block()
    expect((await issue(touched ?? 0)).culprit).toBe('/')
  })

  test('undo of a deletion reaches as far as the one who undoes may', async () => {
    const [mine, theirs] = [await world.addIssue(), await world.addIssue({ projectId: world.other })]
    const both = { scope: [world.web, world.other], issueIds: [mine, theirs] }
    const done = await discardIssues(world.context, both)
    const undo = done.ok ? done.undo : ''
    expect(await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo })).toEqual({
      ok: true,
      kind: 'discarded',
      changed: 1,
    })
    expect((await hashes()).map(row => row.issue_id)).toEqual([mine])
    expect(await undoChange(world.context, { mayDo: () => true, scope: both.scope, undo })).toMatchObject({
      ok: true,
      changed: 1,
    })
    expect((await hashes()).map(row => row.issue_id)).toEqual([mine, theirs])
  })

  test('ten thousand issues are changed and changed back as one', async () => {
    const { db } = world.control
    const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1)
    const values = {
      project_id: world.web,
      title: '',
      culprit: '',
      kind: 'error',
      level: 'error',
      status: 'unresolved',
      created_at: startedAt,
    } as const
    const counted = {
      project_id: world.web,
      group_version: 1,
      event_count: 1,
      first_seen: 0,
      last_seen: 0,
      first_release: '',
      last_release: '',
      last_event_id: '',
      user_sketch: new Uint8Array(),
      user_count: 0,
    }
    await db.transaction().execute(async trx => {
      for (let start = 0; start < numbers.length; start += 500) {
        const chunk = numbers.slice(start, start + 500)
        const made = await trx
          .insertInto('issue')
          .values(chunk.map(number => ({ ...values, number })))
          .returning('id')
          .execute()
        await trx
          .insertInto('issue_hash')
          .values(made.map(({ id }) => ({ ...counted, issue_id: id, group_hash: hashOf(id) })))
          .execute()
      }
    })
    const issueIds = (await db.selectFrom('issue').select('id').execute()).map(({ id }) => id)
    expect(
      await resolveIssues(world.context, { scope: [world.web], issueIds: [...issueIds, 1], how: { kind: 'now' } }),
    ).toEqual({ ok: false, code: 'too_many_issues' })
    const done = await archiveIssues(world.context, {
      scope: [world.web],
      issueIds,
      until: { kind: 'until_events', more: 10 },
    })
    expect(done).toMatchObject({ ok: true, changed: 10_000 })
    expect(
      await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' }),
    ).toMatchObject({
      ok: true,
      changed: 10_000,
    })
    const states = await db.selectFrom('issue').select('status').distinct().execute()
    expect(states).toEqual([{ status: 'unresolved' }])
    expect(await actions()).toEqual(['issue.archive issues:10000', 'issue.undo issues:10000'])
  })
})
