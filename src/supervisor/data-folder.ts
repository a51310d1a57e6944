/** Claims the data folder for this process. Two processes on one folder would write to the same inbox. */
import { access, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { syncFolder } from '#inbox/segments.ts'
import { releaseReserve } from '#jobs/disk-reserve.ts'
import { type FolderLock, lockFolder } from '#lib/lock-folder.ts'
import { describeStartFailure } from './start-failure.ts'

export type DataPaths = {
  dataDir: string
  run: string
  holder: string
  engineSocket: string
  webSocket: string
  telemetry: string
  inbox: string
}

export const dataPaths = (dataDir: string): DataPaths => ({
  dataDir,
  run: join(dataDir, 'run'),
  holder: join(dataDir, 'run', 'holder.json'),
  engineSocket: join(dataDir, 'run', 'engine.sock'),
  webSocket: join(dataDir, 'run', 'web.sock'),
  telemetry: join(dataDir, 'telemetry'),
  inbox: join(dataDir, 'inbox'),
})

type Claim = { ok: true; release(): Promise<void> } | { ok: false; reason: string }

/** Long enough for a Hydrant that is stopping, or one that has the lock but has not written holder.json yet. */
const lockPatienceMs = 1_000

/** Holds a lock for the life of the process. The holder is in a file of its own, because a locked file cannot be read by others. */
export async function claimDataFolder(paths: DataPaths): Promise<Claim> {
  const { dataDir } = paths
  try {
    await makeFolder(dataDir)
    // On a read-only disk mkdir fails with a misleading ENOENT; access gives the real reason.
    await access(dataDir, constants.W_OK)
    await mkdir(paths.run, { recursive: true, mode: 0o700 })
    // Not in run/, which looks as if it may be emptied: deleting a held lock file would let a second process in.
    const lock = lockFolder(dataDir, 'hydrant.lock', lockPatienceMs)
    if (lock.kind !== 'locked') return { ok: false, reason: await describeLock(lock, paths) }
    // On a full disk, a start needs some space before retention can make room.
    await releaseReserve(dataDir)
    await writeHolder(paths.holder)
    // Also keeps the lock reachable: garbage collection would close its database handle.
    process.on('exit', lock.release)
    return {
      ok: true,
      release: async () => {
        await rm(paths.holder, { force: true })
        lock.release()
      },
    }
  } catch (error) {
    const reason = describeStartFailure({ dataDir }, error)
    if (reason === null) throw error
    return { ok: false, reason }
  }
}

async function describeLock(lock: Exclude<FolderLock, { kind: 'locked' }>, { dataDir, holder }: DataPaths) {
  if (lock.kind === 'damaged')
    return `${lock.path} is damaged. Make sure that no other Hydrant uses ${dataDir}, then delete this file. It holds no data.`
  return `Hydrant is already running on ${dataDir} (${await readHolder(holder)}). Stop it first, or set HYDRANT_DATA_DIR to another folder.`
}

const holderSchema = z.object({ pid: z.number(), host: z.string(), bootId: z.string() })

/** A process id is meaningless without its host and boot. */
async function writeHolder(path: string): Promise<void> {
  const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => 'unknown')).trim()
  const holder: z.output<typeof holderSchema> = { pid: process.pid, host: hostname(), bootId }
  await writeFile(`${path}.new`, JSON.stringify(holder), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

async function readHolder(path: string): Promise<string> {
  try {
    const { pid, host, bootId } = holderSchema.parse(JSON.parse(await readFile(path, 'utf8')))
    return `process ${pid} on host ${host}, boot id ${bootId}`
  } catch {
    return 'unknown process' // somebody deleted the file; the lock still counts
  }
}

/** A new folder survives a power cut only after its parent was synced. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let created = folder; created.length >= first.length; created = dirname(created))
    await syncFolder(dirname(created))
}
