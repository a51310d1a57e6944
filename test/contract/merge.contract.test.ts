import { beforeEach, describe, expect, test } from 'vitest'
import type { CommandContext } from '#domain/access/command-context.ts'
import { mergeIssues, unmergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { undoMerge } from '#domain/issues/commands/undo-change.ts'
import { countEvents } from '#domain/issues/counters/count-events.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import { findSurvivingIssue, listSurvivingIds } from '#domain/issues/find-issue.ts'
import { countIssueUsers } from '#domain/issues/issue-totals.ts'
import { setUp } from '#domain/projects/provision.ts'
import type { Control } from '#store/control/open-control.ts'
import { makeGroupedEvent } from '../make-grouped-event.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine } from './on-each-engine.ts'

const at = 1_794_700_000_000

onEachEngine(({ newControl }) => {
  describe('merged issues', () => {
    let control: Control
    let context: CommandContext
    let projectId: number
    beforeEach(async () => {
      control = await newControl()
      context = { db: control.db, actor: 'test', now: () => at }
      const made = await setUp(context, {
        owner: { email: 'ada@example.com', password: 'correct horse' },
        organization: { slug: 'acme' },
        project: { slug: 'web' },
      })
      if (!made.ok) throw new Error(made.code)
      projectId = made.project.id
    })

    /** As digest counts it; gives the issue. */
    const see = async (name: string, fields: Partial<GroupedEvent> = {}) => {
      const grouped = makeGroupedEvent({ projectId, groupHash: hashOf(name), ...fields })
      const touched = await control.db
        .transaction()
        .execute(trx => countEvents(trx, control.dialect, [grouped], grouped.timestamp))
      return touched.get(projectId)?.issueId ?? 0
    }
    const hashOf = (name: string) => name.padEnd(32, '0')
    const key = (...names: string[]) => names.map(name => ({ version: 1, hash: hashOf(name) }))
    const totals = async (issueId: number) => {
      const rows = await control.db.selectFrom('issue_hash').selectAll().where('issue_id', '=', issueId).execute()
      return {
        events: rows.reduce((sum, row) => sum + row.event_count, 0),
        users:
          (await countIssueUsers(viewAs({ control }, { projects: [projectId] }).control, [issueId])).get(issueId) ?? 0,
        hashes: rows
          .map(row => row.group_hash.replace(/0+$/, ''))
          .sort()
          .join(' '),
      }
    }

    test('a merged issue leads to the one that holds its events, through a chain, until it is taken out', async () => {
      const [one, two, three] = [await see('a'), await see('b'), await see('c')]
      const viewerOf = (...projects: number[]) => viewAs({ control }, { projects })
      const survivor = async (id: number, viewer = viewerOf(projectId)) => (await findSurvivingIssue(viewer, id))?.id
      await mergeIssues(context, { projectId, targetIssueId: two, issueIds: [one] })
      expect([await survivor(one), await survivor(two)]).toEqual([two, two])
      const last = await mergeIssues(context, { projectId, targetIssueId: three, issueIds: [two] })
      expect([await survivor(one), await survivor(two), await survivor(three)]).toEqual([three, three, three])
      expect(await survivor(one, viewerOf(projectId + 1))).toBeUndefined()
      expect(await listSurvivingIds(viewerOf(projectId), [one, three, two, 999_999])).toEqual([three, 999_999])
      expect(await listSurvivingIds(viewerOf(projectId + 1), [one])).toEqual([one])
      if (!last.ok) throw new Error(last.code)
      await undoMerge(context, { projectId, targetIssueId: three, moved: last.moved })
      expect([await survivor(one), await survivor(two)]).toEqual([two, two])
      await unmergeIssues(context, { projectId, issueId: two, hashes: key('a') })
      expect(await survivor(one)).toBe(one)
    })

    test('are one: counts follow, and a person who met both counts once', async () => {
      const a = await see('a', { weight: 3, userHash: '11' })
      const b = await see('b', { weight: 4, userHash: '11' })
      await see('b', { userHash: '12' })
      expect(await mergeIssues(context, { projectId, targetIssueId: a, issueIds: [a, b, b] })).toMatchObject({
        ok: true,
        moved: [{ hash: hashOf('b'), issueId: b, homeId: null }],
      })
      expect(await totals(a)).toEqual({ events: 8, users: 2, hashes: 'a b' })
      expect(await totals(b)).toEqual({ events: 0, users: 0, hashes: '' })
      expect(await see('b', { userHash: '13' })).toBe(a)
      expect(await totals(a)).toEqual({ events: 9, users: 3, hashes: 'a b' })
      const audit = await control.db
        .selectFrom('audit')
        .select(['action', 'target', 'detail'])
        .where('action', '=', 'issue.merge')
        .execute()
      expect(audit).toEqual([
        {
          action: 'issue.merge',
          target: `issue:${a}`,
          detail: JSON.stringify({ project: projectId, issues: `${b}`, hashes: 1 }),
        },
      ])
    })

    test('come apart again: each goes home with what it has counted since', async () => {
      const a = await see('a')
      const b = await see('b', { userHash: '12' })
      await mergeIssues(context, { projectId, targetIssueId: a, issueIds: [b] })
      await see('b', { weight: 5 })
      expect(await unmergeIssues(context, { projectId, issueId: a, hashes: key('b') })).toEqual({
        ok: true,
        revivedIssueIds: [b],
        newIssueId: null,
      })
      expect(await totals(a)).toEqual({ events: 1, users: 0, hashes: 'a' })
      expect(await totals(b)).toEqual({ events: 6, users: 1, hashes: 'b' })
      const said = await control.db
        .selectFrom('issue_activity')
        .select(['issue_id', 'kind', 'detail'])
        .orderBy('id')
        .execute()
      expect(said).toEqual([
        { issue_id: a, kind: 'merged', detail: '{"issues":["WEB-2"]}' },
        { issue_id: a, kind: 'unmerged', detail: '{"issues":["WEB-2"]}' },
      ])
      const homes = await control.db.selectFrom('issue_hash').select('home_issue_id').execute()
      expect(homes).toEqual([{ home_issue_id: null }, { home_issue_id: null }])
    })

    test('remember their first issue through a second merge', async () => {
      const [a, b, c] = [await see('a'), await see('b'), await see('c')]
      await mergeIssues(context, { projectId, targetIssueId: b, issueIds: [a] })
      await mergeIssues(context, { projectId, targetIssueId: c, issueIds: [b] })
      expect(await totals(c)).toMatchObject({ hashes: 'a b c' })
      expect(await unmergeIssues(context, { projectId, issueId: c, hashes: key('a', 'b', 'c') })).toEqual({
        ok: true,
        revivedIssueIds: [a, b],
        newIssueId: null,
      })
      expect([await totals(a), await totals(b), await totals(c)]).toMatchObject([
        { hashes: 'a' },
        { hashes: 'b' },
        { hashes: 'c' },
      ])
    })

    test('are undone exactly: to the issue they were taken from, not to their first', async () => {
      const [a, b, c] = [await see('a'), await see('b'), await see('c')]
      await mergeIssues(context, { projectId, targetIssueId: b, issueIds: [a] })
      const merged = await mergeIssues(context, { projectId, targetIssueId: c, issueIds: [b] })
      if (!merged.ok) throw new Error(merged.code)
      const undo = { projectId, targetIssueId: c, moved: merged.moved }
      expect(await undoMerge(context, undo)).toEqual({ ok: true })
      expect(await totals(b)).toMatchObject({ hashes: 'a b' })
      expect(await undoMerge(context, undo)).toEqual({ ok: false, code: 'nothing_to_undo' })
      await unmergeIssues(context, { projectId, issueId: b, hashes: key('a') })
      expect(await totals(a)).toMatchObject({ hashes: 'a' })
    })

    test('keep the error that their title names: those that were merged go home instead', async () => {
      const [a, b, c] = [await see('a', { title: 'Error: a' }), await see('b'), await see('c')]
      await mergeIssues(context, { projectId, targetIssueId: a, issueIds: [b, c] })
      expect(await unmergeIssues(context, { projectId, issueId: a, hashes: key('a') })).toEqual({
        ok: true,
        revivedIssueIds: [b, c],
        newIssueId: null,
      })
      expect([await totals(a), await totals(b), await totals(c)]).toMatchObject([
        { hashes: 'a' },
        { hashes: 'b' },
        { hashes: 'c' },
      ])
      const issues = await control.db.selectFrom('issue').select(['id', 'title']).orderBy('id').execute()
      expect(issues.map(issue => issue.id)).toEqual([a, b, c])
      expect(issues[0]).toMatchObject({ title: 'Error: a' })
    })

    test('leave into a new issue what has always been there', async () => {
      const a = await see('a', { title: 'Error: both', weight: 2 })
      const older = { groupHash: hashOf('a2'), groupFallbacks: key('a') }
      expect(await see('', { ...older, groupVersion: 2 })).toBe(a)
      const result = await unmergeIssues(context, { projectId, issueId: a, hashes: key('a') })
      if (!result.ok || result.newIssueId === null) throw new Error('no new issue')
      expect(await totals(result.newIssueId)).toMatchObject({ events: 2, hashes: 'a' })
      const issue = await control.db
        .selectFrom('issue')
        .select(['title', 'number', 'status'])
        .where('id', '=', result.newIssueId)
        .executeTakeFirst()
      expect(issue).toEqual({ title: 'Error: both', number: 2, status: 'unresolved' })
      await mergeIssues(context, { projectId, targetIssueId: a, issueIds: [result.newIssueId] })
      const homes = await control.db
        .selectFrom('issue_hash')
        .select('home_issue_id')
        .where('issue_id', '=', a)
        .execute()
      expect(homes).toEqual([{ home_issue_id: null }, { home_issue_id: null }])
    })

    test('are of one project, exist, and are not already gone into another', async () => {
      const [a, b] = [await see('a'), await see('b')]
      const merge = (targetIssueId: number, ...issueIds: number[]) =>
        mergeIssues(context, { projectId, targetIssueId, issueIds })
      expect(await merge(a, a)).toEqual({ ok: false, code: 'nothing_to_merge' })
      expect(await merge(a, 999)).toEqual({ ok: false, code: 'issue_not_found' })
      expect(await mergeIssues(context, { projectId: 999, targetIssueId: a, issueIds: [b] })).toEqual({
        ok: false,
        code: 'issue_not_found',
      })
      expect(await merge(a, ...Array.from({ length: 501 }, (_, at) => 1_000 + at))).toEqual({
        ok: false,
        code: 'too_many_issues',
      })
      expect(await merge(a, b)).toMatchObject({ ok: true })
      expect(await merge(a, b)).toEqual({ ok: false, code: 'issue_not_found' })
      const take = (...names: string[]) => unmergeIssues(context, { projectId, issueId: a, hashes: key(...names) })
      expect(await take('x')).toEqual({ ok: false, code: 'hash_not_found' })
      expect(await take()).toEqual({ ok: false, code: 'hash_not_found' })
      expect(await take('b')).toMatchObject({ ok: true })
      expect(await take('a')).toEqual({ ok: false, code: 'nothing_would_stay' })
    })

    test('that are merged into each other at the same time end up in one of them', async () => {
      const [a, b] = [await see('a'), await see('b')]
      await Promise.all([
        mergeIssues(context, { projectId, targetIssueId: a, issueIds: [b] }),
        mergeIssues(context, { projectId, targetIssueId: b, issueIds: [a] }),
      ])
      const rows = await control.db
        .selectFrom('issue_hash')
        .select(['issue_id', 'group_hash', 'home_issue_id'])
        .execute()
      expect(new Set(rows.map(row => row.issue_id)).size).toBe(1)
      for (const row of rows) {
        const home = row.group_hash === hashOf('a') ? a : b
        expect(row.home_issue_id).toBe(row.issue_id === home ? null : home)
      }
    })
  })
})
