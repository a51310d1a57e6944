/** One Hydrant per data folder: two would write one inbox. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type DataPaths = {
  dataDir: string
  run: string
  pid: string
  engineSocket: string
  webSocket: string
  telemetry: string
  inbox: string
}

export const dataPaths = (dataDir: string): DataPaths => ({
  dataDir,
  run: join(dataDir, 'run'),
  pid: join(dataDir, 'run', 'hydrant.pid'),
  engineSocket: join(dataDir, 'run', 'engine.sock'),
  webSocket: join(dataDir, 'run', 'web.sock'),
  telemetry: join(dataDir, 'telemetry'),
  inbox: join(dataDir, 'inbox'),
})

export type Claim = { ok: true; release(): Promise<void> } | { ok: false; pid: number }

/** A process id alone may have been given to someone else since; with its start time it is the same process or none. */
export async function claimDataFolder(paths: DataPaths): Promise<Claim> {
  await mkdir(paths.run, { recursive: true, mode: 0o700 })
  const mine = `${process.pid} ${await startedAt(process.pid)}`
  const theirs = await readFile(paths.pid, 'utf8').catch(() => '')
  const [pid, began] = theirs.split(' ')
  if (pid && Number(pid) !== process.pid && isRunning(Number(pid)) && (await startedAt(Number(pid))) === began)
    return { ok: false, pid: Number(pid) }
  await writeFile(paths.pid, mine)
  return { ok: true, release: () => rm(paths.pid, { force: true }) }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Field 22 of /proc/…/stat; where there is no /proc the id alone has to do. */
async function startedAt(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
}
