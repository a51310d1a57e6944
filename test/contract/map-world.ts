/** A world with uploads: bundles go in as the tools' uploads do, events through digest up to both stores. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { commitBatch } from '#digest/commit-batch.ts'
import type { PreparedBatch } from '#digest/prepared-batch.ts'
import { assembleBatch } from '#digest/prepared-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import { type LookupLog, openLookupLog } from '#digest/symbolicate/lookup-log.ts'
import { createBatchSymbolicator } from '#digest/symbolicate/symbolicate-batch.ts'
import { inspectArchive } from '#domain/artifacts/inspect-archive.ts'
import { storeBundle } from '#domain/artifacts/store-bundle.ts'
import type { Seal } from '#inbox/seals.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'
import { openSymbolicator } from '#symbolication/open-symbolicator.ts'
import { createIds } from '../create-ids.ts'
import { makeBundle } from '../make-bundle.ts'
import { makeRecord, testContext } from '../make-record.ts'
import { type Bundler, readBuiltCart } from '../read-built-cart.ts'
import type { World } from './workflow-world.ts'

export const cartFile = 'https://shop.example/static/cart.min.js'

export type Build = { bundler: Bundler; debugId?: string; release?: string; dist?: string }
export type MapWorld = {
  blobs: Blobs
  symbolicator: Symbolicator
  /** Gives the bundle's id. */
  upload(build: Build, projectIds?: number[]): Promise<number>
  /** One batch with one error of the built cart, committed. */
  send(build: Build, seal?: Seal): Promise<PreparedBatch>
  /** The same batch as far as digest gets without committing it. */
  prepare(build: Build, seal: Seal, eventId?: string): Promise<PreparedBatch>
  /** Forgets what is in memory, as a crash does. */
  restart(): Promise<void>
  close(): Promise<void>
}

const nextId = createIds('map world')
let batches = 0
export const nextSeal = (): Seal => ({ batch: ++batches, segment: 1, start: 0, endSegment: 1, end: batches })

export async function makeMapWorld(world: World, telemetry: Telemetry | null): Promise<MapWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-map-world-'))
  const blobs = openBlobs({ dataDir: folder })
  const symbolicator = openSymbolicator(blobs)
  const { control } = world
  const { organization_id } = await control.db
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', world.web)
    .executeTakeFirstOrThrow()
  let lookups: LookupLog = await openLookupLog(folder, 0)

  async function upload(build: Build, projectIds = [world.web]): Promise<number> {
    const { minified, map } = readBuiltCart(build.bundler)
    const id = build.debugId ? { debugId: build.debugId } : {}
    const bytes = makeBundle([
      {
        path: 'files/_/_/static/cart.min.js',
        type: 'minified_source',
        url: '~/static/cart.min.js',
        content: minified,
        sourcemap: 'cart.js.map',
        ...id,
      },
      { path: 'files/_/_/static/cart.js.map', type: 'source_map', url: '~/static/cart.js.map', content: map, ...id },
    ])
    const checksum = createHash('sha1').update(bytes).digest('hex')
    const blobKey = `artifact-bundle/2026-11-15/${organization_id}/${checksum}`
    await blobs.put(blobKey, { kind: 'bytes', bytes })
    const path = join(folder, 'upload')
    writeFileSync(path, bytes)
    const inspected = await inspectArchive(path)
    if (!inspected.ok) throw new Error(inspected.detail)
    const { release = '', dist = '' } = build
    const given = { organizationId: organization_id, checksum, chunks: [], projectIds, release, dist }
    const stored = await storeBundle(world.context, given, { blobKey, sizeBytes: bytes.length, files: inspected.files })
    return stored.id
  }

  async function prepare(build: Build, seal: Seal, eventId = nextId()): Promise<PreparedBatch> {
    const { frames } = readBuiltCart(build.bundler, cartFile)
    const images = build.debugId ? [{ type: 'sourcemap', code_file: cartFile, debug_id: build.debugId }] : []
    const payload = {
      event_id: eventId,
      timestamp: world.clock.now / 1_000,
      platform: 'javascript',
      release: build.release,
      dist: build.dist,
      debug_meta: { images },
      exception: {
        values: [{ type: 'TypeError', value: 'no price', stacktrace: { frames } }],
      },
    }
    const record = makeRecord(
      [{ type: 'event', payload }],
      { event_id: eventId },
      { projectId: world.web, receivedAt: world.clock.now },
    )
    const records = [{ processed: processRecord(record, testContext), spool: null, receivedAt: world.clock.now }]
    const mapper = createBatchSymbolicator({ control, symbolicator, lookups, log: pino({ level: 'silent' }) })
    await mapper(seal, records, attempt => attempt())
    return assembleBatch({ seal, inboxId: 'inbox', mayHaveArrived: false, records, isRepeated: () => false })
  }

  return {
    blobs,
    symbolicator,
    upload,
    prepare,
    send: async (build, seal = nextSeal()) => {
      const batch = await prepare(build, seal)
      if (telemetry)
        await writeEvents(telemetry, {
          rows: batch.rows.events,
          batchId: `inbox:${seal.batch}`,
          mayHaveArrived: false,
          isSuspect: false,
        })
      await commitBatch(control, 'inbox', batch)
      return batch
    },
    restart: async () => {
      await lookups.close()
      lookups = await openLookupLog(folder, 0)
    },
    close: async () => {
      await lookups.close()
      rmSync(folder, { recursive: true })
    },
  }
}
