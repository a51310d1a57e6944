import { beforeEach, describe, expect, test } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { listFailedUploads, listReleaseBundles, measureArtifacts } from '#domain/artifacts/list-uploads.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { listReleaseIssues } from '#domain/releases/list-release-issues.ts'
import {
  findRelease,
  findReleaseNeighbors,
  findShortVersion,
  listLaterReleases,
  listReleases,
} from '#domain/releases/list-releases.ts'
import { readReleases } from '#domain/releases/read-releases.ts'
import { countReleaseFacts } from '#domain/releases/release-counts.ts'
import { saveRelease } from '#domain/releases/save-release.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, startedAt, type World } from './workflow-world.ts'

onEachEngine(({ newAcme }) => {
  describe('releases, as they are read', () => {
    let world: World
    let viewer: Viewer
    beforeEach(async () => {
      world = await makeWorld(await newAcme())
      const { control, web, userId } = world
      const organization = await control.db
        .selectFrom('organization')
        .select(['id', 'slug', 'name'])
        .executeTakeFirstOrThrow()
      const projects = [{ id: web, slug: 'web', name: 'web', isInternal: false }]
      const user = { id: userId, name: '', email: '' }
      viewer = viewAs({ control }, { organization, projects, user, now: startedAt })
    })

    test('those that came after one are no others, and of the newest there are none', async () => {
      const { control, web } = world
      const seen = ['shop@1', 'shop@2', 'shop@3'].map((version, index) => ({
        project_id: web,
        version,
        first_seen: index + 1,
      }))
      await control.db.insertInto('project_release').values(seen).execute()
      const cameAfter = (release: string) => listLaterReleases(viewer, { projectId: web, release, from: 0, to: 10 })
      expect(await cameAfter('shop@1')).toEqual([
        { version: 'shop@2', at: 2 },
        { version: 'shop@3', at: 3 },
      ])
      expect(await cameAfter('shop@3')).toEqual([])
    })

    const tell = (version: string, projectIds = [world.web]) =>
      saveRelease(world.context, {
        organizationId: viewer.organization.id,
        version,
        projectIds,
        fields: {},
        commits: ['b', 'a'].map(commitId => ({
          commitId,
          repository: 'r',
          authorName: 'Ada',
          authorEmail: 'ada@example.com',
          message: commitId,
          committedAt: startedAt,
          fileCount: 3,
          files: [
            { path: 'src/cart.ts', type: 'M' as const },
            { path: 'src/old.ts', type: 'D' as const },
            { path: 'src/cart.ts', type: 'M' as const },
          ],
        })),
      })
    const see = (version: string, firstSeen: number, projectId = world.web) =>
      world.control.db
        .insertInto('project_release')
        .values({ project_id: projectId, version, first_seen: firstSeen })
        .execute()

    const filesOf = () =>
      world.control.db
        .selectFrom('release_commit_file')
        .select(['position', 'path', 'type'])
        .orderBy('position')
        .orderBy('path')
        .execute()

    test('keep which files each commit changed, in place of those told before', async () => {
      await tell('web@1.0.0')
      await tell('web@1.0.0')
      expect(await filesOf()).toEqual(
        [0, 1].flatMap(position => [
          { position, path: 'src/cart.ts', type: 'M' },
          { position, path: 'src/old.ts', type: 'D' },
        ]),
      )
    })

    test('keep 2,000 files of a commit, and how many there were', async () => {
      const files = Array.from({ length: 2_500 }, (_, index) => ({ path: `f/${index}`, type: 'A' as const }))
      const about = { repository: 'r', authorName: '', authorEmail: '', message: '', committedAt: startedAt }
      await saveRelease(world.context, {
        organizationId: viewer.organization.id,
        version: 'web@1.0.0',
        projectIds: [world.web],
        fields: {},
        commits: [{ commitId: 'a', ...about, fileCount: 2_500, files }],
      })
      expect(await filesOf()).toHaveLength(2_000)
      expect(await world.control.db.selectFrom('release_commit').select('file_count').execute()).toEqual([
        { file_count: 2_500 },
      ])
    })

    test('come from tools and from events, and each is one', async () => {
      await tell('web@1.0.0')
      await see('web@1.0.0', startedAt - 1000)
      await see('web@2.0.0', startedAt + 1000)
      await see('hidden@1.0.0', startedAt, world.other)
      const releases = await readReleases(viewer, {})
      expect(releases.map(({ version, firstSeen, id }) => [version, firstSeen, id !== null])).toEqual([
        ['web@2.0.0', startedAt + 1000, false],
        ['web@1.0.0', startedAt - 1000, true],
      ])
      expect(await findRelease(viewer, 'hidden@1.0.0')).toBeNull()
      expect((await readReleases(viewer, { text: 'B@2' })).map(({ version }) => version)).toEqual(['web@2.0.0'])
      expect(await readReleases(viewer, { text: '%' })).toEqual([])
      expect(await readReleases(viewer, { projectIds: [world.web], version: 'web@2.0.0' })).toHaveLength(1)
    })

    test('a short name is the release that it can mean, or none', async () => {
      const hash = 'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef'
      for (const version of ['web@1.2.3', 'api@1.2.3', 'web@2.0.0', hash]) await tell(version)
      expect(await findShortVersion(viewer, '2.0.0')).toBe('web@2.0.0')
      expect(await findShortVersion(viewer, '1.2.3')).toBeNull()
      expect(await findShortVersion(viewer, 'deadbeef')).toBe(hash)
      expect(await findShortVersion(viewer, 'beef')).toBeNull()
    })

    test('neighbors go by version within a package', async () => {
      for (const version of ['web@1.10.0', 'web@1.9.0', 'api@1.9.5', 'web@2.0.0']) await tell(version)
      const release = await findRelease(viewer, 'web@1.10.0')
      expect(release && (await findReleaseNeighbors(viewer, release))).toEqual({
        previous: 'web@1.9.0',
        next: 'web@2.0.0',
      })
    })

    test('know the issues that they brought, lost and mended', async () => {
      await see('web@1.0.0', startedAt)
      await see('web@2.0.0', startedAt + 1000)
      const fresh = await world.addIssue({ release: 'web@2.0.0' })
      const old = await world.addIssue({ release: 'web@1.0.0' })
      const back = await world.addIssue({ release: 'web@1.0.0' })
      const how = { kind: 'in_release' as const, version: 'web@2.0.0' }
      await resolveIssues(world.context, { scope: [world.web], issueIds: [old], how })
      await world.control.db
        .insertInto('issue_activity')
        .values({
          issue_id: back,
          project_id: world.web,
          at: startedAt,
          actor: 'digest',
          kind: 'regressed',
          detail: JSON.stringify({ release: 'web@2.0.0' }),
          release: 'web@2.0.0',
        })
        .execute()
      const issues = await listReleaseIssues(viewer, 'web@2.0.0')
      expect([issues.new, issues.regressed, issues.resolved].map(list => list.map(({ id }) => id))).toEqual([
        [fresh],
        [back],
        [old],
      ])
      await tell('web@2.0.0')
      const release = await findRelease(viewer, 'web@2.0.0')
      const facts = release && (await countReleaseFacts(viewer, [release])).get('web@2.0.0')
      expect(facts).toMatchObject({ newIssues: 1, commitCount: 2, deployCount: 0, lastDeploy: null })
      const deploy = { release_id: release?.id ?? 0, name: '', url: '', started_at: null }
      await world.control.db
        .insertInto('deploy')
        .values([
          { ...deploy, environment: 'staging', finished_at: startedAt },
          { ...deploy, environment: 'production', finished_at: startedAt + 1 },
        ])
        .execute()
      const lastTo = async (environment?: string) => {
        const counted = { environment, rangeMs: 7 * 86_400_000 }
        const page = await listReleases(viewer, { sort: 'date', offset: 0, counted })
        return page.releases.find(({ version }) => version === 'web@2.0.0')?.lastDeploy?.environment
      }
      expect([await lastTo(), await lastTo('staging'), await lastTo('nowhere')]).toEqual([
        'production',
        'staging',
        undefined,
      ])
    })

    test('count all new issues, and list the most frequent of them', async () => {
      const ids: number[] = []
      for (let index = 0; index < 103; index++) ids.push(await world.addIssue({ release: 'web@9.0.0' }))
      await world.control.db
        .updateTable('issue_hash')
        .set({ event_count: 50 })
        .where('issue_id', '=', ids[102] ?? 0)
        .execute()
      const issues = await listReleaseIssues(viewer, 'web@9.0.0')
      expect(issues.newCount).toBe(103)
      expect(issues.new).toHaveLength(100)
      expect(issues.new[0]).toMatchObject({ id: ids[102], eventCount: 50 })
    })

    test('show their uploads, and those that failed or were given up', async () => {
      const { id } = viewer.organization
      const { db } = world.control
      const bundle = { checksum: 'a'.repeat(40), blob_key: 'k', size_bytes: 10, file_count: 2, last_used_at: null }
      const made = await db
        .insertInto('artifact_bundle')
        .values({ ...bundle, organization_id: id, uploaded_at: startedAt })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('artifact_bundle_release')
        .values({ bundle_id: made.id, release: 'web@1.0.0', dist: '' })
        .execute()
      const file = { bundle_id: made.id, url: '', source_map_ref: '', size_bytes: 1 }
      await db
        .insertInto('artifact_file')
        .values([
          { ...file, path: 'a.js', kind: 'minified_source', debug_id: 'x' },
          { ...file, path: 'a.map', kind: 'source_map', debug_id: '' },
        ])
        .execute()
      const attempt = {
        organization_id: id,
        step: 'archive',
        detail: 'no',
        release: 'web@1.0.0',
        dist: '',
        projects: '[]',
      }
      await db
        .insertInto('upload_attempt')
        .values([
          { ...attempt, checksum: '1', state: 'error', at: startedAt },
          { ...attempt, checksum: '2', state: 'assembling', at: startedAt },
          { ...attempt, checksum: '3', state: 'assembling', at: startedAt - 3_600_000 },
          { ...attempt, checksum: '4', state: 'ok', at: startedAt },
        ])
        .execute()
      expect(await listReleaseBundles(viewer, 'web@1.0.0')).toMatchObject([
        { maps: 1, withDebugId: 1, lastUsedAt: null },
      ])
      expect((await listFailedUploads(viewer, 'web@1.0.0')).map(({ checksum }) => checksum)).toEqual(['1', '3'])
      expect(await measureArtifacts(viewer)).toMatchObject({
        bundles: 1,
        sizeBytes: 10,
        unusedBundles: 1,
        unusedBytes: 10,
      })
    })
  })
})
