import { beforeEach, expect, test } from 'vitest'
import { archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { deleteIssues, discardIssues } from '#domain/issues/commands/delete-issues.ts'
import { type ResolveHow, resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { undoChange } from '#domain/issues/commands/undo-change.ts'
import { sweepIssues } from '#jobs/sweep-issues.ts'
import { digestEvents, type SentError } from './digest-events.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

onEachEngine(({ newAcme }) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
  })

  const send = (...errors: SentError[]) => digestEvents(world, errors)
  const sendMany = (count: number) => send(...Array.from({ length: count }, () => ({})))
  const firstIssue = () => world.control.db.selectFrom('issue').selectAll().orderBy('id').executeTakeFirstOrThrow()
  const target = async () => ({ scope: [world.web], issueIds: [(await firstIssue()).id] })
  const resolve = async (how: ResolveHow) => resolveIssues(world.context, { ...(await target()), how })
  const pass = (ms: number) => {
    world.clock.now += ms
  }
  const state = async () => {
    const { status, substatus } = await firstIssue()
    return `${status} ${substatus}`
  }
  const lastActivity = async () => {
    const row = await world.control.db.selectFrom('issue_activity').selectAll().orderBy('id', 'desc').executeTakeFirst()
    return row && { actor: row.actor, kind: row.kind, detail: JSON.parse(row.detail) }
  }

  test('a resolved issue reopens on a newer release, and on no other', async () => {
    await send({ release: 'shop@1.2.0' })
    pass(1_000)
    await resolve({ kind: 'in_release', version: 'shop@1.2.0' })
    pass(1_000)
    await send({ release: 'shop@1.2.0' }, { release: 'shop@1.1.0' })
    expect(await state()).toBe('resolved new')
    await send({ release: 'shop@1.3.0' })
    expect(await state()).toBe('unresolved regressed')
    expect(await lastActivity()).toMatchObject({
      actor: 'hydrant',
      kind: 'regressed',
      detail: { release: 'shop@1.3.0', resolved: { kind: 'in_release', version: 'shop@1.2.0' } },
    })
    expect((await world.control.db.selectFrom('issue').select('id').execute()).length).toBe(1)
  })

  test('commits without an order in their names are newer when they were seen later', async () => {
    await send({ release: 'f00dbabe' })
    pass(1_000)
    await send({ release: 'deadbeef' })
    pass(1_000)
    await resolve({ kind: 'in_release', version: 'deadbeef' })
    pass(1_000)
    await send({ release: 'f00dbabe' })
    await send({ release: 'deadbeef' })
    expect(await state()).toBe('resolved new')
    pass(1_000)
    await send({ release: '0badcafe' })
    expect(await state()).toBe('unresolved regressed')
  })

  test.each(['', 'shop@1.2.0'])(
    'plainly resolved: the next event of release "%s" reopens, a late one does not',
    async release => {
      await send({ release })
      pass(5_000)
      await resolve({ kind: 'now' })
      pass(1_000)
      await send({ release, at: world.clock.now - 3_000 })
      expect(await state()).toBe('resolved new')
      await send({ release })
      expect(await state()).toBe('unresolved regressed')
      expect(await lastActivity()).toMatchObject({ kind: 'regressed', detail: { release, resolved: { kind: 'now' } } })
    },
  )

  test('a fast clock does not make an event that was received before the resolution a later one', async () => {
    await send({ release: 'shop@1.2.0' })
    pass(5_000)
    const received = world.clock.now
    pass(1_000)
    await resolve({ kind: 'now' })
    pass(1_000)
    // Received before the resolution and digested after it, as after a restart.
    await send({ release: 'shop@1.2.0', at: received + 60_000, receivedAt: received })
    expect(await state()).toBe('resolved new')
  })

  test('the next release is named when it is first seen, and an event of it is a regression', async () => {
    await send({ release: '1.0.0' })
    pass(1_000)
    await resolve({ kind: 'next_release' })
    pass(1_000)
    await send({ release: '1.0.0' }, { type: 'OtherError', release: '1.1.0' })
    const first = await firstIssue()
    expect(JSON.parse(first.status_detail)).toEqual({ kind: 'next_release', after: '1.0.0', version: '1.1.0' })
    expect(first.status).toBe('resolved')
    await send({ release: '1.1.0' })
    expect((await firstIssue()).substatus).toBe('regressed')
  })

  test('an archive ends with its events, its users, its date', async () => {
    const archive = async (until: Parameters<typeof archiveIssues>[1]['until']) => {
      pass(1_000)
      await archiveIssues(world.context, { ...(await target()), until })
      expect((await firstIssue()).status).toBe('archived')
    }
    await send({ user: 'ann' })
    await archive({ kind: 'until_events', more: 3 })
    await sendMany(2)
    expect((await firstIssue()).status).toBe('archived')
    await sendMany(1)
    expect(await state()).toBe('unresolved ongoing')
    expect(await lastActivity()).toEqual({
      actor: 'hydrant',
      kind: 'unarchived',
      detail: { kind: 'until_events', more: 3, count: 4 },
    })
    await archive({ kind: 'until_users', more: 2 })
    await send({ user: 'ann' }, { user: 'ben' }, { user: 'ben' })
    expect((await firstIssue()).status).toBe('archived')
    await send({ user: 'cem' })
    expect((await firstIssue()).status).toBe('unresolved')
    await archive({ kind: 'until_date', at: world.clock.now + dayMs })
    expect(await sweepIssues(world.control, world.clock.now)).toMatchObject({ unarchived: 0 })
    expect(await sweepIssues(world.control, world.clock.now + 2 * dayMs)).toMatchObject({ unarchived: 1 })
    await archive({ kind: 'forever' })
    await sendMany(50)
    expect((await firstIssue()).status).toBe('archived')
  })

  test('an issue escalates against its own history, and calms down', async () => {
    for (let hour = 0; hour < 30; hour++) {
      await sendMany(3)
      pass(hourMs)
    }
    expect(await state()).toBe('unresolved new')
    await sendMany(9)
    expect(await state()).toBe('unresolved new')
    await sendMany(1)
    expect(await state()).toBe('unresolved escalating')
    expect(await lastActivity()).toEqual({ actor: 'hydrant', kind: 'escalating', detail: { events: 10, usual: 3 } })
    await sweepIssues(world.control, world.clock.now + dayMs / 2)
    expect(await state()).toBe('unresolved escalating')
    await sweepIssues(world.control, world.clock.now + dayMs + 1_000)
    expect(await state()).toBe('unresolved ongoing')
  })

  test('archived until it escalates: the noise of today is accepted, more is not', async () => {
    await sendMany(100)
    await archiveIssues(world.context, { ...(await target()), until: { kind: 'until_escalating' } })
    await sendMany(50)
    pass(hourMs)
    await sendMany(290)
    expect((await firstIssue()).status).toBe('archived')
    await sendMany(20)
    expect(await state()).toBe('unresolved escalating')
  })

  test('a new issue is new for a week, and an unhandled one matters more', async () => {
    await send({ isHandled: false })
    expect(await firstIssue()).toMatchObject({ substatus: 'new', is_unhandled: 1, priority: 'high' })
    await sweepIssues(world.control, world.clock.now + 6 * dayMs)
    expect(await state()).toBe('unresolved new')
    await sweepIssues(world.control, world.clock.now + 8 * dayMs)
    expect(await state()).toBe('unresolved ongoing')
  })

  test('a discarded kind leaves no row, no file and no issue, but an outcome, until that is undone', async () => {
    await send({})
    const done = await discardIssues(world.context, await target())
    const batch = await send({ hasFile: true }, { type: 'OtherError' })
    expect(batch.rows.events.map(row => row.type)).toEqual(['OtherError'])
    expect([batch.blobs, batch.rows.attachments]).toEqual([[], []])
    expect(batch.outcomes).toMatchObject([
      { category: 'error', kind: 'filtered', reason: 'discarded', quantity: 1 },
      { category: 'attachment', kind: 'filtered', reason: 'discarded', quantity: 1 },
    ])
    await undoChange(world.context, { mayDo: () => true, scope: [world.web], undo: done.ok ? done.undo : '' })
    expect((await send({ hasFile: true })).rows.events.length).toBe(1)
    const counts = await world.control.db.selectFrom('issue_hash').select('event_count').orderBy('issue_id').execute()
    expect(counts).toEqual([{ event_count: 2 }, { event_count: 1 }])
  })

  test('after a deletion the kind starts anew', async () => {
    await sendMany(3)
    await deleteIssues(world.context, await target())
    await send({})
    const rows = await world.control.db.selectFrom('issue_hash').select(['issue_id', 'event_count']).execute()
    expect(rows).toMatchObject([{ event_count: 1 }])
    expect(rows[0]?.issue_id).not.toBe((await firstIssue()).id)
  })
})
