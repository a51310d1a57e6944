import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/** Longer than a process keeps the offset that it has read. */
const readAgainMs = 50

export type ShiftedClock = {
  /** For the Hydrant whose wall clock is to be moved. Its timers run on as they are. */
  env: Record<string, string>
  set(offsetMs: number): Promise<void>
  remove(): Promise<void>
}

/** A wall clock that a test moves while Hydrant runs, in all of its processes and threads. */
export async function createShiftedClock(): Promise<ShiftedClock> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrant-clock-'))
  const file = join(folder, 'offset')
  const set = async (offsetMs: number) => {
    await writeFile(`${file}.new`, String(offsetMs))
    await rename(`${file}.new`, file)
    await setTimeout(readAgainMs)
  }
  await set(0)
  const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href
  return {
    env: { NODE_OPTIONS: `--import=${preload}`, SHIFTED_CLOCK_FILE: file },
    set,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
