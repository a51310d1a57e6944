import { randomBytes } from 'node:crypto'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Config } from '#config.ts'
import { damagedFolder, listDamaged } from '#inbox/segments.ts'
import { type Check, fail, ok, reasonOf, warn } from './check.ts'

const MiB = 1024 * 1024
const syncRounds = 15
const slowSyncMs = 30

/** Is the folder writable, is there space, and is fsync fast? Every acknowledged event waits for one. */
export async function checkDataFolder({ dataDir, limits }: Config): Promise<Check[]> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    return [
      checkSync(await measureSyncMs(dataDir)),
      checkSpace(await freeBytes(dataDir), limits.diskReserveBytes),
      ...(await checkDamage(join(dataDir, 'inbox'))),
    ]
  } catch (error) {
    const fix = 'Grant this user write access, or set HYDRANT_DATA_DIR to another folder.'
    return [fail('data folder', `${dataDir} cannot be written: ${reasonOf(error)}.`, fix)]
  }
}

/** Empty when nothing is damaged. */
async function checkDamage(inbox: string): Promise<Check[]> {
  const files = await listDamaged(inbox)
  if (files.length === 0) return []
  const sentence = `Files of the inbox were damaged and are kept: ${files.join(', ')}.`
  return [
    warn('inbox damage', sentence, `Check the disk. Delete ${damagedFolder(inbox)} when you no longer need the files.`),
  ]
}

function checkSync(medianMs: number): Check {
  const sentence = `The data folder is writable. A synced write takes ${medianMs.toFixed(1)} ms.`
  if (medianMs < slowSyncMs) return ok('data folder', sentence)
  return warn('data folder', sentence, 'Every event waits for such a write. Move HYDRANT_DATA_DIR to a faster disk.')
}

/** Ingest refuses events below the reserve; warn at twice as much. */
function checkSpace(bytes: number, reserveBytes: number): Check {
  const sentence = `${Math.round(bytes / MiB)} MiB are free on the disk of the data folder. Hydrant keeps ${Math.round(reserveBytes / MiB)} MiB in reserve.`
  const fix = 'Free some space, shorten HYDRANT_RETENTION_DAYS, or lower HYDRANT_DISK_RESERVE_MB.'
  if (bytes < reserveBytes) return fail('disk space', `${sentence} New events are refused.`, fix)
  return bytes < reserveBytes * 2 ? warn('disk space', sentence, fix) : ok('disk space', sentence)
}

async function measureSyncMs(dataDir: string): Promise<number> {
  const path = join(dataDir, `.doctor-${randomBytes(6).toString('hex')}`)
  const file = await open(path, 'wx', 0o600)
  const timesMs: number[] = []
  try {
    for (let round = 0; round < syncRounds; round++) {
      const startedAt = performance.now()
      await file.write(Buffer.alloc(4096, round))
      await file.datasync()
      timesMs.push(performance.now() - startedAt)
    }
  } finally {
    await file.close()
    await rm(path)
  }
  return timesMs.sort((a, b) => a - b)[syncRounds >> 1] ?? 0
}

async function freeBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir)
  return bavail * bsize
}
