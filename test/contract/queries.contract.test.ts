import { beforeEach, expect, test } from 'vitest'
import { createProjectKey } from '#commands/create-project-key.ts'
import { setUp } from '#commands/set-up.ts'
import { switchProjectKey } from '#commands/switch-project-key.ts'
import { findHome } from '#queries/find-home.ts'
import { findInternalKey } from '#queries/find-internal-key.ts'
import { findIssue } from '#queries/find-issue.ts'
import { findMembership } from '#queries/find-membership.ts'
import { findProject } from '#queries/find-project.ts'
import { isSetUp } from '#queries/is-set-up.ts'
import { listIssues } from '#queries/list-issues.ts'
import { listMembers } from '#queries/list-members.ts'
import { listOrganizationProjects } from '#queries/list-organization-projects.ts'
import { listProjectKeys } from '#queries/list-project-keys.ts'
import { listProjects } from '#queries/list-projects.ts'
import { listPulses } from '#queries/list-pulses.ts'
import type { Viewer } from '#queries/viewer.ts'
import type { Control } from '#store/control/control.ts'
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
    const projects = await listOrganizationProjects(control, organization.id)
    return {
      user: { id: userId, name: '', email: '' },
      organization,
      role,
      projects,
      control,
      now: at,
    } as unknown as Viewer
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
          user_sketch: new Uint8Array(),
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
      userCount: 2,
      firstSeen: at - 110,
      lastSeen: at,
    })
    expect((await findIssue(viewer, id))?.hashes.length).toBe(2)
  })

  test('pages of the list hold every issue once, also where many were last seen in the same millisecond', async () => {
    for (let number = 1; number <= 120; number++)
      await addIssue(number, [{ lastSeen: at - Math.floor(number / 40), eventCount: 1 }])
    const seen: number[] = []
    for (
      let page = await listIssues(viewer, {});
      ;
      page = await listIssues(viewer, { after: page.next ?? undefined })
    ) {
      seen.push(...page.issues.map(issue => issue.id))
      if (!page.next) break
    }
    expect(seen.length).toBe(120)
    expect(new Set(seen).size).toBe(120)
  }, 60_000)

  test('nothing of another organisation can be read, whatever id is asked for', async () => {
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
    await createProjectKey({ db: control.db, actor: 'test', now: () => at }, { projectId })
    expect(await findIssue(viewer, issueId)).toBeNull()
    expect((await listIssues(viewer, {})).issues).toEqual([])
    expect((await listIssues(viewer, { projectId })).issues).toEqual([])
    expect(await listProjectKeys(viewer, projectId)).toEqual([])
    expect(await findProject(viewer, 'app')).toBeNull()
    expect((await listProjects(viewer)).map(({ slug }) => slug)).toEqual(['web', 'hydrant'])
    expect(await findMembership(control, userId, 'other')).toBeNull()
  })

  test('members, home and the built-in project are found', async () => {
    expect(await isSetUp(control)).toBe(true)
    expect(await findHome(control, userId)).toBe('acme')
    expect(await listMembers(viewer)).toMatchObject([{ email: 'ada@example.com', role: 'owner' }])
    expect((await findInternalKey(control))?.publicKey).toMatch(/^[0-9a-f]{32}$/)
  })

  test('a key is switched off and on again', async () => {
    const context = { db: control.db, actor: 'test', now: () => at }
    const [key] = await listProjectKeys(viewer, web)
    const target = { projectId: web, keyId: key?.id ?? 0 }
    await switchProjectKey(context, { ...target, isActive: false })
    expect((await listProjectKeys(viewer, web))[0]?.isActive).toBe(false)
    expect(await switchProjectKey(context, { ...target, isActive: true })).toEqual({ ok: true })
    expect((await listProjectKeys(viewer, web))[0]?.isActive).toBe(true)
    expect(await switchProjectKey(context, { projectId: 900, keyId: target.keyId, isActive: true })).toEqual({
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
    })
    await control.db
      .insertInto('project_pulse')
      .values([pulse(web, at), pulse(web + 1, at - 5_000)])
      .execute()
    expect((await listPulses(control, at - 1_000)).map(({ projectId }) => projectId)).toEqual([web])
  })
})
