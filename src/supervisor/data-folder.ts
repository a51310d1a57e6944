/** One Hydrant per data folder: two would write one inbox. */
import { access, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { syncFolder } from '#inbox/segments.ts'
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

/** For a Hydrant that is just ending, and for one that takes the lock now and has yet to write who it is. */
const lockPatienceMs = 1_000

/** Held for the life of the process. Who holds it is written beside the lock, because nobody else can read a locked file. */
export async function claimDataFolder(paths: DataPaths): Promise<Claim> {
  const { dataDir } = paths
  try {
    await makeFolder(dataDir)
    // Making a folder on a read-only disk fails as if its parent were missing; this says what is wrong.
    await access(dataDir, constants.W_OK)
    await mkdir(paths.run, { recursive: true, mode: 0o700 })
    // Not in run/: a lock that is deleted while it is held locks nobody out, and run/ looks as if it may be emptied.
    const lock = lockFolder(dataDir, 'hydrant.lock', lockPatienceMs)
    if (lock.kind !== 'locked') return { ok: false, reason: await refusalOf(lock, paths) }
    await writeHolder(paths.holder)
    // Also keeps the lock reachable: a collected database handle is a closed one.
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

async function refusalOf(lock: Exclude<FolderLock, { kind: 'locked' }>, { dataDir, holder }: DataPaths) {
  if (lock.kind === 'damaged')
    return `${lock.path} is damaged. Make sure that no other Hydrant uses ${dataDir}, then delete this file; it holds no data.`
  return `Hydrant is already running on ${dataDir} (${await readHolder(holder)}). Stop it first, or set HYDRANT_DATA_DIR to another folder.`
}

const holderSchema = z.object({ pid: z.number(), host: z.string(), bootId: z.string() })

/** A process id says nothing without its host, and after a restart of that host nothing at all. */
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
    return 'its process is unknown' // the file was deleted by hand; the lock is what counts
  }
}

/** The name of a new folder is safe only when the folder above it has been synced. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}
