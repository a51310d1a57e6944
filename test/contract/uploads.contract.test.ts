import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assembleUpload } from '#domain/artifacts/assemble-upload.ts'
import { claimAttempt, renewAttempt, type Upload } from '#domain/artifacts/upload-attempt.ts'
import { storeChunk } from '#domain/artifacts/upload-chunks.ts'
import { createDeploy } from '#domain/releases/create-deploy.ts'
import { deleteRelease, saveRelease } from '#domain/releases/save-release.ts'
import { removeUnusedArtifacts } from '#jobs/remove-unused-artifacts.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { makeBundle } from '../make-bundle.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, startedAt, type World } from './workflow-world.ts'

const dayMs = 86_400_000
const sha1Of = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex')

onEachEngine(({ newAcme }) => {
  let world: World
  let dataDir: string
  let organizationId: number
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    dataDir = mkdtempSync(join(tmpdir(), 'hydrant-uploads-'))
    const row = await world.control.db.selectFrom('organization').select('id').executeTakeFirstOrThrow()
    organizationId = row.id
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  const place = () => ({ blobs: openBlobs({ dataDir }), dataDir, diskReserveBytes: 0, log: { error: () => undefined } })
  const bundleOf = (name: string) =>
    makeBundle([{ path: 'files/a.js', type: 'minified_source', url: '~/a.js', content: name, sourcemap: 'a.js.map' }])
  async function* inPieces(bytes: Buffer) {
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
  }
  const keep = (bytes: Buffer, sha1 = sha1Of(bytes)) =>
    storeChunk(world.context, place(), { organizationId, sha1, isGzip: true, body: inPieces(gzipSync(bytes)) })
  const uploadOf = (bytes: Buffer, chunks: Buffer[], release = 'web@1.0.0', projectIds = [world.web]): Upload => ({
    organizationId,
    checksum: sha1Of(bytes),
    chunks: chunks.map(sha1Of),
    projectIds,
    release,
    dist: '',
  })
  const assemble = (...upload: Parameters<typeof uploadOf>) =>
    assembleUpload(world.context, place(), uploadOf(...upload))
  const countRows = async (table: 'artifact_bundle' | 'artifact_file' | 'upload_chunk' | 'artifact_bundle_release') => {
    const { count } = await world.control.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  describe('an upload', () => {
    test('is asked for part by part, put together once, and costs nothing the second time', async () => {
      const bytes = bundleOf('one')
      const halves = [bytes.subarray(0, 60), bytes.subarray(60)]
      expect(await assemble(bytes, halves)).toEqual({ state: 'not_found', missingChunks: halves.map(sha1Of) })
      for (const half of halves) expect(await keep(Buffer.from(half))).toEqual({ ok: true })
      expect(await assemble(bytes, halves)).toEqual({ state: 'ok' })
      expect([
        await countRows('artifact_bundle'),
        await countRows('artifact_file'),
        await countRows('upload_chunk'),
      ]).toEqual([1, 1, 0])
      expect(await assemble(bytes, halves)).toEqual({ state: 'ok' })
      expect(await assemble(bytes, halves, 'web@2.0.0', [world.other])).toEqual({ state: 'ok' })
      expect([await countRows('artifact_bundle'), await countRows('artifact_bundle_release')]).toEqual([1, 2])
      expect(readdirSync(join(dataDir, 'uploads'))).toEqual([])
    })

    test('that several ask for at once is put together by one of them', async () => {
      const bytes = bundleOf('racing')
      await keep(bytes)
      const states = (await Promise.all([1, 2, 3, 4].map(() => assemble(bytes, [bytes])))).map(({ state }) => state)
      expect(states).toContain('ok')
      expect(states.every(state => state === 'ok' || state === 'assembling')).toBe(true)
      expect([await countRows('artifact_bundle'), await countRows('artifact_file')]).toEqual([1, 1])
    })

    test('that somebody took up and never ended is taken up by the next who asks, half a minute later', async () => {
      const bytes = bundleOf('abandoned')
      await keep(bytes)
      expect(await claimAttempt(world.context, uploadOf(bytes, [bytes]))).toBe(true)
      world.clock.now += 20_000
      await renewAttempt(world.context, uploadOf(bytes, [bytes]))
      world.clock.now += 20_000
      expect(await assemble(bytes, [bytes])).toEqual({ state: 'assembling' })
      world.clock.now += 20_000
      expect(await assemble(bytes, [bytes])).toEqual({ state: 'ok' })
    })

    test('that failed for no fault of its own can be asked for again at once', async () => {
      const bytes = bundleOf('unlucky')
      await keep(bytes)
      const broken = { ...place(), dataDir: '/dev/null' }
      const upload = uploadOf(bytes, [bytes])
      await expect(assembleUpload(world.context, broken, upload)).rejects.toThrow()
      expect(await assemble(bytes, [bytes])).toEqual({ state: 'ok' })
    })

    test('whose part is not what its name says is not kept', async () => {
      expect(await keep(Buffer.from('a'), sha1Of(Buffer.from('b')))).toEqual({ ok: false, code: 'checksum_differs' })
      const plain = {
        organizationId,
        sha1: sha1Of(Buffer.from('a')),
        isGzip: true,
        body: inPieces(Buffer.from('plain')),
      }
      expect(await storeChunk(world.context, place(), plain)).toEqual({ ok: false, code: 'chunk_not_gzip' })
      const large = Buffer.alloc(8 * 1024 * 1024 + 1)
      expect(await keep(large)).toEqual({ ok: false, code: 'chunk_too_large' })
      expect(await countRows('upload_chunk')).toBe(0)
    })

    test('that was refused says where, and may be tried again', async () => {
      const bytes = Buffer.from('no bundle')
      await keep(bytes)
      expect(await assemble(bytes, [bytes])).toMatchObject({ state: 'error' })
      const attempt = await world.control.db.selectFrom('upload_attempt').selectAll().executeTakeFirstOrThrow()
      expect(attempt).toMatchObject({ state: 'error', step: 'archive', release: 'web@1.0.0' })
      expect(await assemble(bytes, [bytes])).toMatchObject({ state: 'not_found' })
      await keep(bytes)
      expect(await assemble(bytes, [bytes])).toMatchObject({ state: 'error' })
    })
  })

  describe('what no event needs', () => {
    const sweep = (limits: { unusedDays: number; maxBytes: number | null }) =>
      removeUnusedArtifacts({ control: world.control, blobs: place().blobs, dataDir, limits }, world.clock.now)
    async function upload(name: string): Promise<string> {
      const bytes = bundleOf(name)
      await keep(bytes)
      await assemble(bytes, [bytes])
      return sha1Of(bytes)
    }
    const left = async () =>
      (await world.control.db.selectFrom('artifact_bundle').select(['checksum', 'blob_key']).orderBy('id').execute()) ??
      []

    test('goes after its days, with its bytes; what was needed meanwhile stays', async () => {
      const [unused, used] = [await upload('unused'), await upload('used')]
      const [gone] = await left()
      await world.control.db
        .updateTable('artifact_bundle')
        .set({ last_used_at: startedAt + 80 * dayMs })
        .where('checksum', '=', used)
        .execute()
      world.clock.now = startedAt + 91 * dayMs
      expect(await sweep({ unusedDays: 90, maxBytes: null })).toMatchObject({ bundles: 1 })
      expect((await left()).map(({ checksum }) => checksum)).toEqual([used])
      expect(gone?.checksum).toBe(unused)
      expect(await place().blobs.size(gone?.blob_key ?? '')).toBeNull()
      expect(await countRows('artifact_file')).toBe(1)
    })

    test('goes first when there is more than there may be', async () => {
      const names = ['a', 'b', 'c']
      const checksums: string[] = []
      for (const name of names) {
        checksums.push(await upload(name))
        world.clock.now += 1000
      }
      await world.control.db
        .updateTable('artifact_bundle')
        .set({ last_used_at: world.clock.now })
        .where('checksum', '=', checksums[0] ?? '')
        .execute()
      expect(await sweep({ unusedDays: 90, maxBytes: 2 * bundleOf('a').length })).toMatchObject({ bundles: 1 })
      expect((await left()).map(({ checksum }) => checksum)).toEqual([checksums[0], checksums[2]])
    })

    test('includes parts of uploads that were never finished', async () => {
      await keep(Buffer.from('left over'))
      world.clock.now += 2 * dayMs
      expect(await sweep({ unusedDays: 90, maxBytes: null })).toMatchObject({ chunks: 1 })
      expect(await countRows('upload_chunk')).toBe(0)
    })
  })

  describe('a release', () => {
    const save = (version: string, more: object = {}) =>
      saveRelease(world.context, { organizationId, version, projectIds: [world.web], fields: {}, ...more })

    test('told twice is one, and keeps what it was told before', async () => {
      expect(await save('feat/x@1', { fields: { url: 'https://example.com' } })).toMatchObject({
        ok: true,
        isNew: true,
      })
      expect(await save('feat/x@1', { fields: { releasedAt: startedAt } })).toMatchObject({ ok: true, isNew: false })
      const row = await world.control.db.selectFrom('release').selectAll().executeTakeFirstOrThrow()
      expect(row).toMatchObject({ version: 'feat/x@1', url: 'https://example.com', released_at: startedAt })
      for (const version of ['', ' ', '..', 'a\nb', 'x'.repeat(251)])
        expect(await save(version)).toEqual({ ok: false, code: 'release_invalid' })
    })

    test('is deployed once, however often a bundler says so, and again the next day', async () => {
      const deploy = {
        organizationId,
        version: 'web@1',
        projectIds: [world.web],
        environment: 'production',
        name: '',
        url: '',
      }
      const tell = (finishedAt: number) => createDeploy(world.context, { ...deploy, startedAt: null, finishedAt })
      const [first, second] = [await tell(startedAt), await tell(startedAt + 20_000)]
      expect([first, second]).toMatchObject([{ isNew: true }, { isNew: false }])
      expect(await tell(startedAt + dayMs)).toMatchObject({ isNew: true })
      expect(
        await createDeploy(world.context, { ...deploy, environment: 'a b', startedAt: null, finishedAt: 0 }),
      ).toEqual({
        ok: false,
        code: 'environment_invalid',
      })
    })

    test('that events came with cannot be removed; another can, and its bundles stay', async () => {
      const bytes = bundleOf('kept')
      await keep(bytes)
      await assemble(bytes, [bytes], 'web@1.0.0')
      const remove = () => deleteRelease(world.context, { organizationId, version: 'web@1.0.0' })
      const seen = { project_id: world.web, version: 'web@1.0.0', first_seen: startedAt }
      await world.control.db.insertInto('project_release').values(seen).execute()
      expect(await remove()).toEqual({ ok: false, code: 'release_in_use' })
      await world.control.db.deleteFrom('project_release').execute()
      expect(await remove()).toEqual({ ok: true })
      expect(await remove()).toEqual({ ok: false, code: 'release_not_found' })
      expect([await countRows('artifact_bundle'), await countRows('artifact_bundle_release')]).toEqual([1, 0])
    })
  })
})
