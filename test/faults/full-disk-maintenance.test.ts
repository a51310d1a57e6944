/** Maintenance on a small disk that is full to its last byte: what has expired goes, nothing else does, and Hydrant accepts again. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { setUp } from '#domain/projects/provision.ts'
import { startEngine } from '#engine/start-engine.ts'
import { openInbox } from '#inbox/open-inbox.ts'
import { runMaintenance } from '#jobs/maintenance.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { type AttachmentRow, type LogRow, noId, type ReplayRow } from '#store/telemetry/rows.ts'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { dataPaths } from '#supervisor/data-folder.ts'
import { silentLog } from '../contract/on-each-engine.ts'
import { createUuids } from '../create-ids.ts'
import { makeLog } from '../make-log.ts'

const dayMs = 86_400_000
const now = Date.now()
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const retentionDays = { errors: 90, rest: 30 }

let folder: string
let isMounted = false
let world: World
let close = async (): Promise<void> => undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hydrant-small-'))
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', folder]).status === 0
})
afterEach(async () => {
  await close()
  close = async () => undefined
  if (isMounted) spawnSync('umount', [folder])
  await rm(folder, { recursive: true, force: true })
})

async function openWorld() {
  const { telemetry: dataPath, engineSocket: socketPath } = dataPaths(folder)
  const engine = await startEngine({ dataPath, socketPath, log: () => undefined })
  const telemetry = openTelemetry({ kind: 'socket', socketPath: engine.socketPath })
  await migrateTelemetry(telemetry, { kind: 'single' })
  const control = openControl({ dataDir: folder })
  await migrateControl(control, { dataDir: folder, log: silentLog })
  const made = await setUp(
    { db: control.db, actor: 'test', now: () => now },
    {
      owner: { email: 'ada@example.com', password: 'correct horse' },
      organization: { slug: 'acme' },
      project: { slug: 'web' },
    },
  )
  if (!made.ok) throw new Error(made.code)
  const blobs = openBlobs({ dataDir: folder })
  const logged: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: text => void logged.push(JSON.parse(text)) })
  const options = {
    ...{ control, telemetry, blobs, log, retentionDays, dataDir: folder },
    ...{ layout: { kind: 'single' as const }, artifacts: { unusedDays: 90, maxBytes: null } },
  }
  const counts = async (table: string): Promise<number> => {
    const schema = z.object({ rows: z.coerce.number() })
    return (await telemetry.query({ query: `SELECT count() AS rows FROM ${table} LIMIT 1`, schema }))[0]?.rows ?? 0
  }
  close = async () => {
    await telemetry.close()
    await control.close()
    await engine.stop()
  }
  return { control, telemetry, blobs, logged, options, counts, organizationId: 1 }
}
type World = Awaited<ReturnType<typeof openWorld>>

const nextId = createUuids('full disk')
const id = (): string => nextId().replaceAll('-', '')
const expiredAt = now - 100 * dayMs
const freshAt = now - dayMs

/** The same of everything, once expired and once not. */
async function plant({ control, telemetry, blobs, organizationId }: World) {
  const write = async (given: { table: 'logs'; rows: LogRow[] } | { table: 'attachments'; rows: AttachmentRow[] }) => {
    const batch = { batchId: `inbox:${id()}`, mayHaveArrived: false, isSuspect: false }
    expect(await writeBatch(telemetry, { ...batch, ...given })).toEqual({ kind: 'done', refused: [] })
  }
  for (const at of [expiredAt, freshAt]) {
    const lines = Array.from({ length: 500 }, (_, index) =>
      makeLog({ timestamp: at * 1_000 + index, log_id: id(), body: `line ${index}`, retention_days: 30 }),
    )
    await write({ table: 'logs', rows: lines })
    await write({ table: 'attachments', rows: [attachmentRow(at)] })
    for (const kind of ['attachment', 'profile', 'replay', 'dead-letters'])
      await blobs.put(`${kind}/${dayOf(at)}/1/file`, { kind: 'bytes', bytes: randomBytes(300_000) })
    const blobKey = `artifact-bundle/${dayOf(at)}/1/${id()}`
    await blobs.put(blobKey, { kind: 'bytes', bytes: randomBytes(300_000) })
    await control.db
      .insertInto('artifact_bundle')
      .values({
        ...{ organization_id: organizationId, checksum: id(), blob_key: blobKey, size_bytes: 300_000, file_count: 1 },
        ...{ uploaded_at: at, last_used_at: at },
      })
      .execute()
  }
}

const attachmentRow = (at: number): AttachmentRow => ({
  ...{ project_id: 1, event_id: id(), timestamp: at, received_at: at, retention_days: 90, weight: 1 },
  ...{ filename: 'file', content_type: '', attachment_type: '', size_bytes: 0, blob: '' },
})

const errorOfReplay = 'e'.repeat(32)

const replayRow = (given: Partial<ReplayRow> & Pick<ReplayRow, 'timestamp' | 'recording_blob'>): ReplayRow => ({
  ...{ project_id: 1, replay_id: noId, segment_id: 0, started: given.timestamp, received_at: given.timestamp },
  ...{ retention_days: 30, weight: 1, replay_type: 'session', environment: '', release: '', user_hash: '0', urls: [] },
  ...{ error_ids: [], trace_ids: [], recording_bytes: 0, data: '{}', user_id: '', user_email: '', user_name: '' },
  ...{ user_ip: '', browser_name: '', browser_version: '', os_name: '', os_version: '', device: '' },
  ...{ click_count: 0, dead_click_count: 0, rage_click_count: 0, tags: {} },
  ...given,
})

/** A replay at the end of its time, whose error is kept for two more months. */
async function plantErrorReplay({ telemetry, blobs }: World): Promise<string> {
  const at = now - 29 * dayMs
  const key = `replay/${dayOf(at)}/1/${id()}`
  await blobs.put(key, { kind: 'bytes', bytes: randomBytes(2_000_000) })
  const replay = replayRow({
    replay_id: 'a'.repeat(32),
    timestamp: at,
    recording_blob: key,
    error_ids: [errorOfReplay],
  })
  const batch = { batchId: `inbox:${id()}`, mayHaveArrived: false, isSuspect: false }
  expect(await writeBatch(telemetry, { ...batch, table: 'replays', rows: [replay] })).toEqual({
    kind: 'done',
    refused: [],
  })
  return key
}

async function fill(): Promise<void> {
  for (const size of [1_048_576, 65_536, 4_096, 512, 1])
    for (let isFull = false; !isFull; )
      await appendFile(join(folder, 'filler'), Buffer.alloc(size, 1)).catch(() => {
        isFull = true
      })
  const { bavail } = await statfs(folder)
  expect(bavail).toBe(0)
}

const exists = (path: string): Promise<boolean> =>
  stat(join(folder, path)).then(
    () => true,
    () => false,
  )

async function expectExpiredGone(world: World): Promise<void> {
  const { blobs, counts, control } = world
  for (const kind of ['attachment', 'profile', 'replay', 'dead-letters']) {
    expect(await blobs.listDays(kind, dayOf(now - 90 * dayMs)), kind).toEqual([])
    expect(await blobs.size(`${kind}/${dayOf(freshAt)}/1/file`), kind).toBe(300_000)
  }
  const bundles = await control.db.selectFrom('artifact_bundle').select('blob_key').execute()
  expect(bundles.map(({ blob_key: key }) => key.split('/')[1])).toEqual([dayOf(freshAt)])
  expect(await blobs.size(bundles[0]?.blob_key ?? '')).toBe(300_000)
  expect([await counts('logs'), await counts('attachments')]).toEqual([500, 1])
}

async function expectAccepts(): Promise<void> {
  const inbox = await openInbox(join(folder, 'inbox'), () => undefined)
  const head = { projectId: 1, keyId: 1, receivedAt: 0, clientAddress: '', userAgent: '' }
  await inbox.append({ head, body: Buffer.alloc(64 * 1024, 1) })
  await inbox.close()
}

test('all that has expired is deleted, a replay of an error is kept, and events are accepted again', async context => {
  if (!isMounted) return context.skip('needs the right to mount a small disk')
  world = await openWorld()
  // The reserve was made on a day with room.
  await runMaintenance(world.options, now)
  expect(await exists('reserve')).toBe(true)
  await plant(world)
  const key = await plantErrorReplay(world)
  await fill()
  world.logged.length = 0
  const failed = await runMaintenance(world.options, now)
  expect(world.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
  expect(failed.steps).toEqual([])
  await expectExpiredGone(world)
  const kept = await world.telemetry.query({
    query: 'SELECT recording_blob AS blob, retention_days AS days FROM replays LIMIT 10',
    schema: z.object({ blob: z.string(), days: z.coerce.number() }),
  })
  expect(kept).toEqual([{ blob: `error-${key}`, days: 90 }])
  expect(await world.blobs.size(`error-${key}`)).toBe(2_000_000)
  expect(await world.blobs.size(key)).toBeNull()
  await expectAccepts()
})

test('expired rows alone are deleted with the help of the reserve', async context => {
  if (!isMounted) return context.skip('needs the right to mount a small disk')
  world = await openWorld()
  await runMaintenance(world.options, now)
  const rows = Array.from({ length: 5_000 }, (_, index) =>
    makeLog({ timestamp: expiredAt * 1_000 + index, log_id: id(), body: id(), retention_days: 30 }),
  )
  await writeBatch(world.telemetry, {
    table: 'logs',
    rows,
    batchId: 'inbox:1',
    mayHaveArrived: false,
    isSuspect: false,
  })
  await fill()
  expect((await runMaintenance(world.options, now)).steps).toEqual([])
  expect(await world.counts('logs')).toBe(0)
  await expectAccepts()
})

test('without a reserve, expired files make the room for the rest', async context => {
  if (!isMounted) return context.skip('needs the right to mount a small disk')
  world = await openWorld()
  await plant(world)
  for (let day = 0; day < 30; day++)
    await world.blobs.put(`attachment/${dayOf(expiredAt - day * dayMs)}/1/large`, {
      kind: 'bytes',
      bytes: randomBytes(300_000),
    })
  await fill()
  expect((await runMaintenance(world.options, now)).steps).toEqual([])
  await expectExpiredGone(world)
  await expectAccepts()
})

test('a step that fails is named in the log and repeated, and the others run', async context => {
  if (!isMounted) return context.skip('needs the right to mount a small disk')
  world = await openWorld()
  await plant(world)
  // Replace a folder with a file and rename a table, so two steps fail for unrelated reasons.
  await rm(join(folder, 'blobs', 'profile'), { recursive: true })
  await writeFile(join(folder, 'blobs', 'profile'), 'not a folder')
  await world.control.db.schema.alterTable('seen_event').renameTo('seen_event_away').execute()
  const failed = await runMaintenance(world.options, now)
  expect(failed.steps.map(({ name }) => name)).toEqual(['expired blobs', 'old event ids'])
  const errors = world.logged.filter(({ msg }) => msg === 'maintenance step failed').map(({ step }) => step)
  expect(errors).toEqual(['expired blobs', 'old event ids', 'expired blobs', 'old event ids'])
  expect(await world.blobs.listDays('attachment', dayOf(now - 90 * dayMs))).toEqual([])
  expect([await world.counts('logs'), await world.counts('attachments')]).toEqual([500, 1])
  await rm(join(folder, 'blobs', 'profile'))
  await mkdir(join(folder, 'blobs', 'profile'))
  await world.control.db.schema.alterTable('seen_event_away').renameTo('seen_event').execute()
  expect((await runMaintenance(world.options, now)).steps).toEqual([])
})
