/** What a private project keeps to itself. Telemetry is scoped by the same ids, so control decides. */
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { listIncidents } from '#domain/alerts/list-incidents.ts'
import { listRuleChannels, listRules } from '#domain/alerts/list-rules.ts'
import { countUnread, listNotifications } from '#domain/alerts/notifications.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { listFailedUploads, listReleaseBundles } from '#domain/artifacts/list-uploads.ts'
import { findChannel, listChannels, listDeliveries } from '#domain/channels/list-channels.ts'
import { readDeliveryLog } from '#domain/channels/read-delivery-log.ts'
import { removeMember } from '#domain/members/remove-member.ts'
import { createTeam, deleteTeam, setTeamMember } from '#domain/members/teams.ts'
import { deleteProject } from '#domain/projects/change-project.ts'
import { listDeletedProjects } from '#domain/projects/list-deleted-projects.ts'
import { listProjects } from '#domain/projects/list-projects.ts'
import { readLiveAccess } from '#domain/projects/live-access.ts'
import { listProjectAudience, setProjectAccess } from '#domain/projects/project-access.ts'
import { listVisibleProjects } from '#domain/projects/unscoped-projects.ts'
import { createDeploy } from '#domain/releases/create-deploy.ts'
import { listReleaseCommits, listReleaseDeploys } from '#domain/releases/list-release-commits.ts'
import { findPreviousCommit, findRelease, isHiddenRelease } from '#domain/releases/list-releases.ts'
import { readReleases } from '#domain/releases/read-releases.ts'
import { deleteRelease, saveRelease } from '#domain/releases/save-release.ts'
import { requireTwoFactor } from '#domain/sign-in/second-factor.ts'
import { createAuthToken, hashAuthToken } from '#domain/tokens/create-auth-token.ts'
import { findAuthToken, revokeAuthToken } from '#domain/tokens/find-auth-token.ts'
import { listAuthTokens } from '#domain/tokens/list-auth-tokens.ts'
import { findMaps } from '#symbolication/find-maps.ts'
import { viewAs } from '../view-as.ts'
import { type MembersWorld, makeMembersWorld } from './members-world.ts'
import { onEachEngine } from './on-each-engine.ts'

onEachEngine(({ newAcme }) => {
  let world: MembersWorld
  let teamId: number
  let insider: string
  let outsider: string
  beforeEach(async () => {
    world = await makeMembersWorld(await newAcme())
    ;[insider, outsider] = [await world.add('ines', 'viewer'), await world.add('otis', 'member')]
    const { organizationId } = world
    const team = await createTeam(world.context, { organizationId, slug: 'core', name: 'Core', userIds: [insider] })
    if (!team.ok) throw new Error(team.code)
    teamId = team.teamId
  })
  const setAccess = (isPrivate: boolean, teamIds: number[], projectId = world.other) =>
    setProjectAccess(world.context, { organizationId: world.organizationId, projectId, isPrivate, teamIds })
  const sightOf = (userId: string | null, seesAll = false) =>
    listVisibleProjects(world.control, world.organizationId, { seesAll, userId })
  const viewerOf = async (userId: string | null, seesAll = false) =>
    viewAs(
      { control: world.control },
      {
        ...(await sightOf(userId, seesAll)),
        organization: { id: world.organizationId, slug: 'acme', name: '' },
        user: { id: userId ?? 'token', name: '', email: '' },
        now: world.clock.now,
      },
    )
  const slugs = async (userId: string | null, seesAll = false) =>
    (await sightOf(userId, seesAll)).projects.map(({ slug }) => slug).filter(slug => slug !== 'hydrant')

  test('only its teams and those who see all have a private project, whatever becomes of the teams', async () => {
    expect(await slugs(outsider)).toEqual(['other', 'web'])
    expect(await setAccess(true, [teamId])).toEqual({ ok: true })
    expect(await slugs(outsider)).toEqual(['web'])
    expect(await slugs(insider)).toEqual(['other', 'web'])
    expect(await slugs(null)).toEqual(['web'])
    expect(await slugs(null, true)).toEqual(['other', 'web'])
    const audience = await listProjectAudience(await viewerOf(insider), world.other)
    expect(audience.map(({ id }) => id).toSorted()).toEqual([insider, world.owner].toSorted())
    const membership = { organizationId: world.organizationId, teamId, userId: insider }
    await setTeamMember(world.context, { ...membership, isIn: false })
    expect(await slugs(insider)).toEqual(['web'])
    await setTeamMember(world.context, { ...membership, isIn: true })
    // Without its last team it stays private.
    await deleteTeam(world.context, { organizationId: world.organizationId, teamId })
    expect(await slugs(insider)).toEqual(['web'])
    expect(await setAccess(false, [])).toEqual({ ok: true })
    expect(await slugs(outsider)).toEqual(['other', 'web'])
  })

  test('a team or project of another organization gives no access', async () => {
    expect(await setAccess(true, [teamId, 999])).toEqual({ ok: false, code: 'team_not_found' })
    expect(await setAccess(true, [teamId], 999)).toEqual({ ok: false, code: 'project_not_found' })
    expect(await slugs(outsider)).toEqual(['other', 'web'])
  })

  test('releases, commits, deploys and uploads of a private project are not there for others', async () => {
    const { organizationId, control } = world
    const commit = {
      repository: 'acme/secret',
      authorName: 'Ines',
      authorEmail: 'ines@example.com',
      files: [],
      fileCount: 0,
    }
    const save = (version: string, projectIds: number[]) =>
      saveRelease(world.context, {
        ...{ organizationId, version, projectIds, fields: {} },
        commits: [{ ...commit, commitId: `of ${version}`, message: version, committedAt: 1 }],
      })
    await save('both@1', [world.web, world.other])
    world.clock.now += 1
    await save('secret@1', [world.other])
    const deploy = { organizationId, projectIds: [world.other], environment: 'prod', name: '', url: '' }
    await createDeploy(world.context, { ...deploy, version: 'secret@1', startedAt: null, finishedAt: 1 })
    await control.db
      .insertInto('project_release')
      .values([
        { project_id: world.other, version: 'seen@1', first_seen: 1 },
        { project_id: world.web, version: 'open@1', first_seen: 1 },
      ])
      .execute()
    // Registered without a project, and only the private one has seen it.
    await save('seen@1', [])
    const attempt = {
      organization_id: organizationId,
      state: 'error' as const,
      step: '',
      detail: '',
      dist: '',
      projects: '[]',
    }
    await control.db
      .insertInto('upload_attempt')
      .values({ ...attempt, checksum: 'a', release: 'secret@1', at: 1 })
      .execute()
    const { id } = await control.db
      .insertInto('artifact_bundle')
      .values({
        ...{ organization_id: organizationId, checksum: 'a', blob_key: 'a', size_bytes: 1, file_count: 0 },
        ...{ uploaded_at: 1, last_used_at: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await control.db
      .insertInto('artifact_bundle_release')
      .values({ bundle_id: id, release: 'secret@1', dist: '' })
      .execute()

    const release = await findRelease(await viewerOf(outsider), 'secret@1')
    if (release === null) throw new Error('it is not private yet')
    await setAccess(true, [teamId])
    const readAll = async (viewer: Awaited<ReturnType<typeof viewerOf>>) => ({
      versions: (await readReleases(viewer, {})).map(({ version }) => version).toSorted(),
      commits: (await listReleaseCommits(viewer, release)).length,
      deploys: (await listReleaseDeploys(viewer, release)).length,
      previous: (await findPreviousCommit(viewer, 'both@1'))?.version,
      bundles: (await listReleaseBundles(viewer, 'secret@1')).length,
      uploads: (await listFailedUploads(viewer, 'secret@1')).length,
      isHidden: await isHiddenRelease(viewer, 'secret@1'),
    })
    const all = { commits: 1, deploys: 1, bundles: 1, uploads: 1, isHidden: false }
    const versions = ['both@1', 'open@1', 'secret@1', 'seen@1']
    expect(await readAll(await viewerOf(insider))).toMatchObject({ ...all, versions })
    expect(await readAll(await viewerOf(null, true))).toMatchObject({ ...all, versions })
    expect(await readAll(await viewerOf(outsider))).toEqual({
      ...{ versions: ['both@1', 'open@1'], commits: 0, deploys: 0, previous: undefined },
      ...{ bundles: 0, uploads: 0, isHidden: true },
    })
  })

  test('a release that a private project has too is deleted as if it were not there', async () => {
    const { organizationId, control } = world
    const { web, other } = world
    for (const [version, projectIds] of [
      ['seen@1', [web]],
      ['both@1', [web, other]],
      ['own@1', [web]],
    ] as const)
      await saveRelease(world.context, { organizationId, version, projectIds: [...projectIds], fields: {} })
    await control.db
      .insertInto('project_release')
      .values([
        { project_id: other, version: 'seen@1', first_seen: 1 },
        { project_id: web, version: 'used@1', first_seen: 1 },
        { project_id: other, version: 'used@1', first_seen: 1 },
      ])
      .execute()
    await setAccess(true, [teamId])
    const { hiddenProjectIds } = await viewerOf(outsider)
    const remove = (version: string) => deleteRelease(world.context, { organizationId, version, hiddenProjectIds })
    for (const version of ['seen@1', 'both@1', 'own@1'])
      expect([version, await remove(version)]).toEqual([version, { ok: true }])
    expect(await remove('used@1')).toEqual({ ok: false, code: 'release_in_use' })
    for (const version of ['seen@1', 'never@1'])
      expect(await remove(version)).toEqual({ ok: false, code: 'release_not_found' })
    const versionsOf = async (userId: string) =>
      (await readReleases(await viewerOf(userId), {})).map(({ version }) => version).toSorted()
    expect(await versionsOf(outsider)).toEqual(['used@1'])
    expect(await versionsOf(insider)).toEqual(['both@1', 'seen@1', 'used@1'])
  })

  test('an upload for a private project is hidden, and its sources serve no event of another project', async () => {
    const { organizationId, control } = world
    await saveRelease(world.context, {
      organizationId,
      version: 'both@1',
      projectIds: [world.web, world.other],
      fields: {},
    })
    const addBundle = async (checksum: string, projectIds: number[]) => {
      const { id } = await control.db
        .insertInto('artifact_bundle')
        .values({
          ...{ organization_id: organizationId, checksum, blob_key: checksum, size_bytes: 1, file_count: 1 },
          ...{ uploaded_at: 1, last_used_at: null },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await control.db
        .insertInto('artifact_bundle_release')
        .values({ bundle_id: id, release: 'both@1', dist: '' })
        .execute()
      await control.db
        .insertInto('artifact_bundle_project')
        .values(projectIds.map(project_id => ({ bundle_id: id, project_id })))
        .execute()
      const file = {
        bundle_id: id,
        path: 'a.map',
        url: '',
        kind: 'source_map' as const,
        source_map_ref: '',
        size_bytes: 1,
      }
      await control.db
        .insertInto('artifact_file')
        .values({ ...file, debug_id: checksum })
        .execute()
    }
    await addBundle('secret', [world.other])
    await addBundle('shared', [world.other, world.web])
    const found = async (projectId: number) => {
      const wanted = (debugId: string) => ({ projectId, file: '', debugId, release: '', dist: '' })
      const maps = await findMaps(control.db, [wanted('secret'), wanted('shared')])
      return [...maps.values()].map(({ blobKey }) => blobKey).toSorted()
    }
    expect(await found(world.web)).toEqual(['secret', 'shared'])
    await setAccess(true, [teamId])
    expect(await found(world.web)).toEqual(['shared'])
    expect(await found(world.other)).toEqual(['secret', 'shared'])
    const checksums = async (userId: string) =>
      (await listReleaseBundles(await viewerOf(userId), 'both@1')).map(({ checksum }) => checksum).toSorted()
    expect(await checksums(outsider)).toEqual(['shared'])
    expect(await checksums(insider)).toEqual(['secret', 'shared'])
  })

  test('channels, rules, incidents and notifications of a private project are not there for others', async () => {
    await setAccess(true, [teamId])
    const { db } = world.control
    const at = world.clock.now
    const own = { organization_id: world.organizationId, project_id: world.other }
    const channel = { ...own, name: 'secret hook', kind: 'webhook', config: '{}', owner_user_id: null, created_at: at }
    const { id: channelId } = await db
      .insertInto('channel')
      .values({ ...channel, state_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('delivery')
      .values({
        ...{ outbox_id: null, channel_id: channelId, at, title: 'New issue: SecretError', attempt: 1, status: 200 },
        ...{ latency_ms: 1, response: '', outcome: 'sent' },
      })
      .execute()
    const saved = await saveRule(world.context, {
      ...{
        organizationId: world.organizationId,
        ruleId: null,
        name: 'secret rule',
        projectId: world.other,
        isOn: true,
      },
      ...{ channelIds: [channelId], ownerUserId: null, config: ruleConfig.parse({ when: ['new-issue'] }) },
    })
    if (!saved.ok) throw new Error(saved.code)
    const incident = { ...own, name: 'secret incident', opened_at: at, reason: 'Number of errors is 9', metric: '' }
    await db
      .insertInto('incident')
      .values({ ...incident, detector_id: null, rule_id: null, severity: 'critical', closed_at: null, peak: 9 })
      .execute()
    const message = {
      ...{ kind: 'incident', type: 'incident.opened', incidentId: 1, projectId: world.other, ruleId: null, at },
      ...{ severity: 'critical', reason: 'Number of errors is 9' },
    }
    await db
      .insertInto('notification')
      .values(
        [insider, outsider].map(user_id => ({
          ...{ ...own, user_id, key: 'k', message: JSON.stringify(message), at, read_at: null },
        })),
      )
      .execute()
    const seenBy = async (userId: string) => {
      const viewer = await viewerOf(userId)
      const exported: string[] = []
      for await (const { title } of readDeliveryLog(viewer)) exported.push(title)
      return [
        (await listChannels(viewer)).map(({ name, project }) => [name, project]),
        (await findChannel(viewer, channelId))?.name,
        (await listDeliveries(viewer)).map(({ title }) => title),
        exported,
        (await listRuleChannels(viewer)).map(({ name }) => name),
        (await listRules(viewer)).map(({ name }) => name),
        (await listIncidents(viewer)).map(({ name }) => name),
        (await listNotifications(viewer)).map(({ title }) => title),
        await countUnread(viewer),
      ]
    }
    expect(await seenBy(outsider)).toEqual([[], undefined, [], [], [], [], [], [], 0])
    const title = 'New issue: SecretError'
    expect(await seenBy(insider)).toEqual([
      ...[[['secret hook', 'other']], 'secret hook', [title], [title], ['secret hook'], ['secret rule']],
      ...[['secret incident'], ['Failing: secret incident'], 1],
    ])
  })

  test('the name of a deleted private project stays hidden', async () => {
    await setAccess(true, [teamId])
    const target = { organizationId: world.organizationId, projectId: world.other, confirmation: 'other' }
    expect(await deleteProject(world.context, target)).toEqual({ ok: true })
    expect(await listDeletedProjects(await viewerOf(outsider))).toEqual([])
    expect(await listDeletedProjects(await viewerOf(world.owner, true))).toHaveLength(1)
    expect((await listProjects(await viewerOf(outsider))).map(({ slug }) => slug)).not.toContain('other')
  })

  test('a personal token has the role of its owner and ends with the membership; every token can expire', async () => {
    const { organizationId, control } = world
    const make = async (given: { isPersonal?: boolean; expiresAt?: number; seesPrivate?: boolean }) => {
      const base = {
        organizationId,
        name: 'x',
        publicUrl: 'http://localhost',
        scopes: ['event:write'],
        createdBy: outsider,
      }
      const made = await createAuthToken(world.as(outsider), { ...base, ...given })
      if (!made.ok) throw new Error(made.code)
      return made
    }
    const find = (token: string) => findAuthToken(control, hashAuthToken(token), world.clock.now)
    const personal = await make({ isPersonal: true })
    const shared = await make({ expiresAt: world.clock.now + 1_000, seesPrivate: true })
    expect(personal.token).toMatch(/^sntryu_[0-9a-f]{64}$/)
    expect(await find(personal.token)).toMatchObject({ owner: { id: outsider, role: 'member' }, seesPrivate: false })
    expect(await find(shared.token)).toMatchObject({ owner: null, seesPrivate: true })
    // Nobody revokes a token of another member as their own.
    const revoke = { organizationId, tokenId: personal.id }
    expect(await revokeAuthToken(world.context, { ...revoke, ownerId: insider })).toMatchObject({ ok: false })
    world.clock.now += 1_000
    expect(await find(shared.token)).toBeNull()
    const past = { organizationId, name: 'x', publicUrl: '', expiresAt: world.clock.now }
    expect(await createAuthToken(world.context, past)).toEqual({ ok: false, code: 'date_passed' })
    // Also if its row was not revoked.
    await control.db.deleteFrom('member').where('user_id', '=', outsider).execute()
    expect(await find(personal.token)).toBeNull()
  })

  test('a personal token of a member without a second factor ends a week after it is required', async () => {
    const { organizationId, control } = world
    const base = { organizationId, name: 'x', publicUrl: 'http://localhost', createdBy: outsider }
    const make = async (isPersonal: boolean) => {
      const made = await createAuthToken(world.as(outsider), { ...base, isPersonal })
      if (!made.ok) throw new Error(made.code)
      return made.token
    }
    const [personal, shared] = [await make(true), await make(false)]
    const lacks = async (token: string) =>
      (await findAuthToken(control, hashAuthToken(token), world.clock.now))?.lacksSecondFactor
    const weekMs = 7 * 86_400_000
    world.clock.now += 2 * weekMs
    expect([await lacks(personal), await lacks(shared)]).toEqual([false, false])
    const required = { organizationId, from: world.clock.now, hasSecondFactor: true }
    expect(await requireTwoFactor(world.context, required)).toEqual({ ok: true })
    world.clock.now += weekMs
    expect(await lacks(personal)).toBe(false)
    const viewer = viewAs(
      { control },
      { organization: { id: organizationId, slug: 'acme', name: 'acme' }, projects: [], now: world.clock.now },
    )
    const due = (await listAuthTokens(viewer)).map(({ isPersonal, secondFactorDue }) => [isPersonal, secondFactorDue])
    expect(due).toContainEqual([true, world.clock.now])
    expect(due).toContainEqual([false, null])
    world.clock.now += 1
    expect([await lacks(personal), await lacks(shared)]).toEqual([true, false])
    const key = { id: 'p', name: 'key', credential_id: 'c', public_key: '', counter: 0, transports: '[]' }
    await control.db
      .insertInto('passkey')
      .values({ ...key, user_id: outsider, created_at: 1, last_used_at: null })
      .execute()
    expect(await lacks(personal)).toBe(false)
    await control.db.deleteFrom('passkey').where('user_id', '=', outsider).execute()
    expect(await lacks(personal)).toBe(true)
    await control.db.updateTable('user').set({ twoFactorEnabled: sql`true` }).where('id', '=', outsider).execute()
    expect(await lacks(personal)).toBe(false)
  })

  test('an open stream hears nothing of what became private, and ends with the session or the membership', async () => {
    const { control, organizationId } = world
    const at = control.dialect === 'sqlite' ? new Date(1).toISOString() : new Date(1)
    const session = { token: '', expiresAt: at, ipAddress: null, userAgent: null, createdAt: at, updatedAt: at }
    await control.db
      .insertInto('session')
      .values([insider, outsider].map(userId => ({ ...session, id: `s-${userId}`, token: userId, userId })))
      .execute()
    const member = (userId: string) => ({ sessionId: `s-${userId}`, userId, organizationId })
    let now = 0
    const read = () => readLiveAccess(control, [member(insider), member(outsider)], now)
    await setAccess(true, [teamId])
    const open = await read()
    expect([open(member(insider)), open(member(outsider))]).toEqual([
      { role: 'viewer', hidden: new Set() },
      { role: 'member', hidden: new Set([world.other]) },
    ])
    // First a session that has expired but isn't deleted, then one without the second factor that the organization now requires.
    now = 1
    expect((await read())(member(insider))).toBeNull()
    now = 0
    await requireTwoFactor(world.context, { organizationId, from: 0, hasSecondFactor: true })
    expect((await read())(member(insider))).toBeNull()
    await control.db.updateTable('session').set({ secondFactor: sql`true` }).execute()
    expect((await read())(member(insider))?.hidden).toEqual(new Set())
    await control.db.deleteFrom('session').where('userId', '=', insider).execute()
    await removeMember(world.context, { organizationId, userId: outsider, withCreatedTokens: false })
    const closed = await read()
    expect([closed(member(insider)), closed(member(outsider))]).toEqual([null, null])
  })
})
