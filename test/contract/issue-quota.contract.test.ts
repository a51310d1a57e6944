/** When a project gets too many new issues, the rest is counted in one issue, and each group can be taken out again. */
import { beforeEach, expect, test } from 'vitest'
import { unmergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { countEvents } from '#domain/issues/counters/count-events.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import { overflowTitle } from '#domain/issues/counters/issue-quota.ts'
import { feedbackKind, overflowKind } from '#lib/event-kind.ts'
import { makeGroupedEvent } from '../make-grouped-event.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

const minuteMs = 60_000
const limits = { all: 20, fatal: 5 }

onEachEngine(({ newControl }) => {
  let world: World
  let at: number
  beforeEach(async () => {
    world = await makeWorld(await newControl())
    at = world.clock.now
  })

  const hashOf = (number: number) => String(number).padStart(32, '0')
  /** One batch: an event for each number, which is its group. */
  const see = (from: number, count: number, fields: Partial<GroupedEvent> = {}, given = limits) => {
    const events = Array.from({ length: count }, (_, each) =>
      makeGroupedEvent({
        projectId: world.web,
        groupHash: hashOf(from + each),
        title: `Error: ${from + each}`,
        timestamp: at,
        ...fields,
      }),
    )
    return world.control.db
      .transaction()
      .execute(trx => countEvents(trx, world.control.dialect, events, at, { limits: given }))
  }
  const issues = async () => {
    const rows = await world.control.db
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .select(({ fn }) => [
        'issue.id',
        'issue.title',
        'issue.kind',
        fn.countAll<number>().as('hashes'),
        fn.sum<number>('issue_hash.event_count').as('events'),
      ])
      .groupBy('issue.id')
      .orderBy('issue.id')
      .execute()
    const plain = rows.filter(({ kind }) => kind !== overflowKind)
    const overflow = rows.filter(({ kind }) => kind === overflowKind)
    return {
      plain: plain.length,
      overflow: overflow.map(({ hashes, events }) => [Number(hashes), Number(events)]),
      rows,
    }
  }
  const news = async () => {
    const rows = await world.control.db.selectFrom('issue_change').select('kind').where('kind', '=', 'new').execute()
    return rows.length
  }

  test.each([
    [19, 19, []],
    [20, 20, []],
    [21, 20, [[1, 1]]],
    [500, 20, [[480, 480]]],
  ])('of %i new groups, %i become issues', async (groups, plain, overflow) => {
    await see(0, groups)
    expect(await issues()).toMatchObject({ plain, overflow })
    expect(await news()).toBe(plain + overflow.length)
  })

  test('known groups are counted where they are, and each group once, whatever is repeated', async () => {
    await see(0, 30)
    await see(0, 30, { weight: 4 })
    const { plain, overflow, rows } = await issues()
    expect({ plain, overflow }).toEqual({ plain: 20, overflow: [[10, 50]] })
    expect(rows.reduce((sum, { events }) => sum + Number(events), 0)).toBe(150)
    expect(rows.find(({ kind }) => kind === overflowKind)?.title).toBe(overflowTitle)
    expect(await news()).toBe(21)
  })

  test('fatal errors are limited separately, feedback is unlimited, and 0 turns the limit off', async () => {
    await see(0, 40)
    await see(100, 10, { level: 'fatal' })
    expect(await issues()).toMatchObject({ plain: 25, overflow: [[25, 25]] })
    await see(200, 10, { kind: feedbackKind })
    expect((await issues()).plain).toBe(35)
    await see(300, 10, {}, { all: 0, fatal: 0 })
    expect((await issues()).plain).toBe(45)
  })

  test('ten minutes later there is room again, and a flood of another day has another issue', async () => {
    await see(0, 30)
    at += 9 * minuteMs
    await see(100, 5)
    expect(await issues()).toMatchObject({ plain: 20, overflow: [[15, 15]] })
    at += 2 * minuteMs
    await see(200, 25)
    expect(await issues()).toMatchObject({ plain: 40, overflow: [[20, 20]] })
    at += 86_400_000
    await see(300, 25)
    expect(await issues()).toMatchObject({
      plain: 60,
      overflow: [
        [20, 20],
        [5, 5],
      ],
    })
  })

  test('a clock that was a day ahead for a moment neither blocks new issues nor lifts the limit for long', async () => {
    const now = at
    at += 86_400_000
    await see(0, 30)
    at = now + minuteMs
    await see(100, 30)
    expect((await issues()).plain).toBe(40)
  })

  test('a group that is taken out gets the title of its event, and remains out', async () => {
    await see(0, 22)
    const { rows } = await issues()
    const overflow = rows.find(({ kind }) => kind === overflowKind)?.id ?? 0
    const [group] = await world.control.db
      .selectFrom('issue_hash')
      .select(['group_hash', 'group_version'])
      .where('issue_id', '=', overflow)
      .orderBy('group_hash')
      .execute()
    const hash = group?.group_hash ?? ''
    const look = { title: 'Error: own', culprit: '/pay', kind: 'error', level: 'fatal' }
    const result = await unmergeIssues(world.context, {
      projectId: world.web,
      issueId: overflow,
      hashes: [{ version: group?.group_version ?? 0, hash }],
      look,
    })
    if (!result.ok || result.newIssueId === null) throw new Error('no new issue')
    const made = await world.control.db
      .selectFrom('issue')
      .selectAll()
      .where('id', '=', result.newIssueId)
      .executeTakeFirst()
    expect(made).toMatchObject(look)
    await see(Number(hash), 1)
    const held = await world.control.db
      .selectFrom('issue_hash')
      .select('event_count')
      .where('issue_id', '=', result.newIssueId)
      .execute()
    expect(held).toEqual([{ event_count: 2 }])
  })
})
