import { beforeEach, expect, test } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { findInControl } from '#domain/issues/list/find-in-control.ts'
import { issueConditions } from '#domain/issues/list/issue-conditions.ts'
import type { IssueCursor, IssueSort } from '#domain/issues/list/issue-filter.ts'
import { readIssueRows } from '#domain/issues/list/read-issue-rows.ts'
import { findDefaultOrganization, findMembership, isSetUp } from '#domain/members/find-membership.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { findProject, listProjects } from '#domain/projects/list-projects.ts'
import { createProjectKey, listProjectKeys, switchProjectKey } from '#domain/projects/project-keys.ts'
import { setUp } from '#domain/projects/provision.ts'
import { findInternalKey, listProjectStats, listVisibleProjects } from '#domain/projects/unscoped-projects.ts'
import { addUsers, emptyUserSketch, encodeUserSketch } from '#lib/user-sketch.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { Control } from '#store/control/control.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine } from './on-each-engine.ts'

const at = 1_794_700_000_000

onEachEngine(({ newControl }) => {
  let control: Control
  let userId: string
  let viewer: Viewer
  let web: number

  beforeEach(async () => {
    control = await newControl()
    expect(await isSetUp(control)).toBe(false)
    const made = await setUp(
      { db: control.db, actor: 'test', now: () => at },
      {
        owner: { email: 'ada@example.com', password: 'correct horse' },
        organization: { slug: 'acme' },
        project: { slug: 'web' },
      },
    )
    if (!made.ok) throw new Error(made.code)
    userId = made.userId
    web = made.project.id
    viewer = await lookAs('acme')
  })

  /** What the guard does after it has read the session. */
  async function lookAs(slug: string): Promise<Viewer> {
    const membership = await findMembership(control, userId, slug)
    if (!membership) throw new Error('not a member')
    const { role, ...organization } = membership
    const { projects } = await listVisibleProjects(control, organization.id, { seesAll: true, userId: null })
    const user = { id: userId, name: '', email: '' }
    return viewAs({ control }, { user, organization, role, projects, now: at })
  }

  async function addIssue(
    number: number,
    hashes: { lastSeen: number; eventCount: number }[],
    projectId = web,
  ): Promise<number> {
    const values = {
      project_id: projectId,
      number,
      title: `Error: ${number}`,
      culprit: '',
      kind: 'error',
      level: 'error',
      status: 'unresolved',
      created_at: at,
    } as const
    const { id } = await control.db.insertInto('issue').values(values).returning('id').executeTakeFirstOrThrow()
    for (const [index, { lastSeen, eventCount }] of hashes.entries()) {
      await control.db
        .insertInto('issue_hash')
        .values({
          project_id: projectId,
          group_version: 1,
          group_hash: `${number}-${index}`.padEnd(32, '0'),
          issue_id: id,
          event_count: eventCount,
          first_seen: lastSeen - 10,
          last_seen: lastSeen,
          first_release: '',
          last_release: '',
          last_event_id: '',
          user_sketch: encodeUserSketch(addUsers(emptyUserSketch, ['12'])),
          user_count: 1,
        })
        .execute()
    }
    return id
  }

  test('an issue is the sum of its hashes', async () => {
    const id = await addIssue(1, [
      { lastSeen: at, eventCount: 3 },
      { lastSeen: at - 100, eventCount: 4 },
    ])
    expect(await findIssue(viewer, id)).toMatchObject({
      shortId: 'WEB-1',
      eventCount: 7,
      // The same person met both.
      userCount: 1,
      firstSeen: at - 110,
      lastSeen: at,
    })
    expect((await findIssue(viewer, id))?.hashes.length).toBe(2)
  })

  /** As listIssues does it, without the counts that telemetry adds. */
  async function findIssues(text: string, sort: IssueSort, after?: IssueCursor, projectIds = [web]) {
    const parsed = parseSearch(text)
    if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
    const persons = {
      me: userId,
      teamBySlug: new Map<string, number>(),
      byEmail: new Map<string, string>(),
      firstSeenIn: new Map(),
      projects: viewer.projects,
    }
    const conditions = issueConditions(parsed.terms, persons, at)
    const range = { from: at - 86_400_000, to: at }
    const scope = viewer.control.within(projectIds)
    return findInControl(scope, { now: 0, conditions, range, counted: null, sort, after, limit: 50 })
  }

  test.each(['urgency', 'lastSeen', 'firstSeen', 'events', 'users'] as const)(
    'pages by %s hold every issue once, also where many were last seen in the same millisecond',
    async sort => {
      for (let number = 1; number <= 120; number++)
        await addIssue(number, [{ lastSeen: at - Math.floor(number / 40), eventCount: number % 7 }])
      const seen: number[] = []
      let after: IssueCursor | undefined
      for (;;) {
        const { hits, total } = await findIssues('', sort, after)
        expect(total).toBe(120)
        seen.push(...hits.map(hit => hit.id))
        const last = hits.at(-1)
        if (hits.length < 50 || !last) break
        after = { to: at, keys: last.keys, id: last.id }
      }
      expect(seen.length).toBe(120)
      expect(new Set(seen).size).toBe(120)
    },
    60_000,
  )

  test('a search is asked in the same words of either database', async () => {
    const first = await addIssue(1, [{ lastSeen: at, eventCount: 3 }])
    const second = await addIssue(2, [{ lastSeen: at - 5_000, eventCount: 9 }])
    const assignee = `user:${userId}`
    await control.db.updateTable('issue').set({ assignee, status: 'resolved' }).where('id', '=', second).execute()
    const find = async (text: string) => (await findIssues(text, 'lastSeen')).hits.map(hit => hit.id)
    expect(await find('is:unresolved')).toEqual([first])
    expect(await find('!is:unresolved assigned:me')).toEqual([second])
    expect(await find('"error: 2"')).toEqual([second])
    expect(await find('ERROR*1')).toEqual([first])
    expect(await find('100%')).toEqual([])
    expect(await find('WEB-2')).toEqual([second])
    expect(await find('level:[error,fatal] !level:warning')).toEqual([first, second])
    expect(await find('lastSeen:+3s')).toEqual([second])
    expect(await find('is:new')).toEqual([first])
    const [row] = await readIssueRows(viewer, [second])
    expect(row).toMatchObject({
      shortId: 'WEB-2',
      status: 'resolved',
      assignee: { kind: 'user', email: 'ada@example.com' },
    })
  })

  test('nothing of another organization can be read, whatever id is asked for', async () => {
    const other = await control.db
      .insertInto('organization')
      .values({ slug: 'other', name: 'Other', created_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    const theirs = {
      organization_id: other.id,
      slug: 'app',
      name: 'app',
      platform: '',
      is_internal: 0,
      last_issue_number: 0,
      first_event_at: null,
      created_at: at,
    } as const
    const { id: projectId } = await control.db
      .insertInto('project')
      .values({ id: 900, ...theirs })
      .returning('id')
      .executeTakeFirstOrThrow()
    const issueId = await addIssue(1, [{ lastSeen: at, eventCount: 1 }], projectId)
    await createProjectKey(
      { db: control.db, actor: 'test', now: () => at },
      { organizationId: theirs.organization_id, projectId },
    )
    expect(await findIssue(viewer, issueId)).toBeNull()
    expect((await findIssues('', 'lastSeen')).hits).toEqual([])
    expect(await listProjectKeys(viewer, projectId)).toEqual([])
    expect(await findProject(viewer, 'app')).toBeNull()
    expect((await listProjects(viewer)).map(({ slug }) => slug)).toEqual(['web', 'hydrant'])
    expect(await findMembership(control, userId, 'other')).toBeNull()
  })

  test('members, home and the built-in project are found', async () => {
    expect(await isSetUp(control)).toBe(true)
    expect(await findDefaultOrganization(control, userId)).toBe('acme')
    expect(await listMembers(viewer)).toMatchObject([{ email: 'ada@example.com', role: 'owner' }])
    expect((await findInternalKey(control))?.publicKey).toMatch(/^[0-9a-f]{32}$/)
  })

  test('a key is switched off and on again', async () => {
    const context = { db: control.db, actor: 'test', now: () => at }
    const [key] = await listProjectKeys(viewer, web)
    const organizationId = viewer.organization.id
    const target = { organizationId, projectId: web, keyId: key?.id ?? 0 }
    await switchProjectKey(context, { ...target, isActive: false })
    expect((await listProjectKeys(viewer, web))[0]?.isActive).toBe(false)
    expect(await switchProjectKey(context, { ...target, isActive: true })).toEqual({ ok: true })
    expect((await listProjectKeys(viewer, web))[0]?.isActive).toBe(true)
    expect(await switchProjectKey(context, { ...target, projectId: 900, isActive: true })).toEqual({
      ok: false,
      code: 'key_not_found',
    })
  })

  test('live views hear only what has moved since', async () => {
    const pulse = (project_id: number, updated_at: number) => ({
      project_id,
      item_count: 1,
      event_count: 1,
      last_event_id: '',
      last_issue_id: 0,
      updated_at,
      sent_kinds: 0,
    })
    await control.db
      .insertInto('project_stats')
      .values([pulse(web, at), pulse(web + 1, at - 5_000)])
      .execute()
    expect((await listProjectStats(control, at - 1_000)).map(({ projectId }) => projectId)).toEqual([web])
  })
})
