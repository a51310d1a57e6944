/**
 * A small disk is full to its last byte while data on it has expired. Ingest refuses and loses nothing that it has acknowledged, retention
 * makes room, and ingest accepts again. The full storm also kills Hydrant on the full disk.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { createUuids } from '../create-ids.ts'
import { asAda } from '../e2e/ada.ts'
import { queryTelemetry } from '../e2e/query-telemetry.ts'
import { audit } from '../faults/audit.ts'
import { auditFolders } from '../faults/audit-folders.ts'
import { type Load, startLoad } from '../faults/load.ts'
import { makeLog } from '../make-log.ts'
import { type Hydrant, startHydrant, until } from '../start-hydrant.ts'
import { waitAtLeast } from '../wait-limits.ts'
import { isFullStorm, type LedgerRow } from './ledger.ts'
import { playScene } from './scene.ts'

const diskMiB = 640
const rounds = isFullStorm ? 2 : 1
const projectId = 77
const publicKey = 'e'.repeat(32)
const dayMs = 86_400_000
const MiB = 1024 * 1024
const keptDays = 30
const fileCount = 100
const rowCount = 500
const nextId = createUuids('full disk')
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const mountPoint = await mkdtemp(join(tmpdir(), 'hydrant-storm-disk-'))
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMiB}m`, 'tmpfs', mountPoint]).status === 0
const dataDir = join(mountPoint, 'data')
const filler = join(mountPoint, 'filler')

if (isMounted)
  playScene(`a full disk with expired data${isFullStorm ? ', and a kill' : ''}`, async () => {
    await mkdir(dataDir)
    const hydrant = await startHydrant({
      dataDir,
      env: { HYDRANT_ROLES: 'ingest,jobs', HYDRANT_DISK_RESERVE_MB: '32', HYDRANT_RETENTION_DAYS: String(keptDays) },
    })
    let load: Load | null = null
    try {
      const project = ['--org', 'acme', '--project', 'web', '--project-id', String(projectId), '--key', publicKey]
      await hydrant.init(...project, ...asAda)
      load = startLoad({ url: hydrant.url, projectId, publicKey, seed: 5, pauseMs: isFullStorm ? 40 : 200 })
      const { book } = load
      await until(() => book.acknowledged.length > 0)
      for (let round = 0; round < rounds; round++) {
        const ends = await fillDisk(hydrant, load)
        if (round > 0) {
          await hydrant.kill()
          await hydrant.start()
        }
        // The first maintenance is a minute after the start.
        await until(() => maintenanceEnds(hydrant) > ends, waitAtLeast(150_000))
        const before = book.acknowledged.length
        await until(() => book.acknowledged.length > before + 20, waitAtLeast(60_000))
      }
      await load.stop()
      await hydrant.drained()
      return [
        await countLoad(load),
        await countOutcomes(load),
        await countPlanted('expired rows and files, all deleted', expiredAt, 0),
        await countPlanted('other rows and files, all kept', freshAt, rounds),
      ]
    } finally {
      await load?.stop()
      await hydrant.stop()
      spawnSync('umount', [mountPoint])
      await rm(mountPoint, { recursive: true, force: true })
    }
  })
else test.skip('a full disk with expired data needs the right to mount a small disk')

const maintenanceEnds = (hydrant: Hydrant): number => hydrant.output().split('"maintenance done"').length - 1

/** Plants data, fills the disk and waits until ingest refuses. Resolves with how often maintenance had ended before. */
async function fillDisk(hydrant: Hydrant, load: Load): Promise<number> {
  await rm(filler, { force: true })
  await plant()
  const ends = maintenanceEnds(hydrant)
  const refused = load.throttled() + 20
  await until(async () => {
    // Hydrant gives back what it had reserved, so once is not enough.
    await fill()
    return load.throttled() > refused
  }, waitAtLeast(30_000))
  const { bavail, bsize } = await statfs(mountPoint)
  expect(bavail * bsize).toBeLessThan(MiB)
  return ends
}

async function fill(): Promise<void> {
  for (const size of [MiB, 65_536, 4_096])
    for (let isFull = false; !isFull; )
      await appendFile(filler, Buffer.alloc(size, 1)).catch(() => {
        isFull = true
      })
}

const expiredAt = Date.now() - (keptDays + 10) * dayMs
const freshAt = Date.now() - dayMs

/** Files of profiles and log lines; most of what fills the disk has expired. */
async function plant(): Promise<void> {
  const telemetry = openTelemetry({ kind: 'socket', socketPath: join(dataDir, 'run', 'engine.sock') })
  try {
    for (const at of [expiredAt, freshAt]) {
      const folder = profilesOf(at)
      await mkdir(folder, { recursive: true })
      const sizeBytes = at === expiredAt ? 2 * MiB : 4_096
      for (let file = 0; file < fileCount; file++) await writeFile(join(folder, nextId()), randomBytes(sizeBytes))
      const rows = Array.from({ length: rowCount }, (_, index) =>
        makeLog({ timestamp: at * 1_000 + index, log_id: nextId(), body: 'planted', retention_days: keptDays }),
      )
      const batch = { batchId: `inbox:${nextId()}`, mayHaveArrived: false, isSuspect: false }
      expect(await writeBatch(telemetry, { table: 'logs', rows, ...batch })).toEqual({ kind: 'done', refused: [] })
    }
  } finally {
    await telemetry.close()
  }
}

const profilesOf = (at: number): string => join(dataDir, 'blobs', 'profile', dayOf(at), String(projectId))

async function countPlanted(who: string, at: number, kept: number): Promise<LedgerRow> {
  const query = `SELECT count() AS n FROM logs WHERE body = 'planted' AND toDate(timestamp) = '${dayOf(at)}' LIMIT 1`
  const [row] = await queryTelemetry(dataDir, query, z.object({ n: z.coerce.number() }))
  const files = await readdir(profilesOf(at)).catch(() => [])
  const found = (row?.n ?? 0) + files.length
  const sent = rounds * (rowCount + fileCount)
  const wrong = found === kept * (rowCount + fileCount) ? [] : [`${row?.n} rows and ${files.length} files are there`]
  return { who, sent, received: found, lost: wrong, duplicated: [], repeated: 0, open: 0 }
}

/** Of requests: what was acknowledged is stored once, and what had no clear answer once or never. */
async function countLoad({ book }: Load): Promise<LedgerRow> {
  const faults = [...(await audit(dataDir, projectId, book)), ...(await auditFolders(dataDir))]
  const isTooMany = (fault: string): boolean => {
    const [, found, wanted] = /: (\d+) rows instead of (\d+)/.exec(fault) ?? []
    return Number(found) > Number(wanted)
  }
  return {
    who: 'acknowledged requests',
    sent: book.acknowledged.length,
    received: book.acknowledged.length - faults.length,
    lost: faults.filter(fault => !isTooMany(fault)),
    duplicated: faults.filter(isTooMany),
    repeated: book.repeats,
    open: 0,
  }
}

/** Errors that were answered with 429, and how many of them the outcomes have. A kill forgets those of its last seconds. */
async function countOutcomes({ book }: Load): Promise<LedgerRow> {
  const refused = book.refused.filter(({ kind }) => kind === 'event').length
  const query = `SELECT sum(quantity) AS n FROM outcomes WHERE project_id = ${projectId} AND category = 'error' AND reason = 'inbox_full' LIMIT 1`
  const [row] = await queryTelemetry(dataDir, query, z.object({ n: z.coerce.number() }))
  const counted = row?.n ?? 0
  const isComplete = isFullStorm || counted === refused
  return {
    who: 'outcomes of refused errors',
    sent: refused,
    received: counted,
    lost: isComplete ? [] : [`${counted} of ${refused} were counted`],
    duplicated: [],
    repeated: 0,
    open: 0,
  }
}
