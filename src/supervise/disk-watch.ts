/** Free space, looked at every few seconds: a full tracker says 429 and never takes down the app that reports to it. */
import { statfs } from 'node:fs/promises'

export type DiskWatch = { readonly freeBytes: number; isNearlyFull(): boolean; stop(): void }

const everyMs = 3_000

export async function watchDisk(folder: string, reserveBytes: number): Promise<DiskWatch> {
  let freeBytes = Number.POSITIVE_INFINITY
  async function look(): Promise<void> {
    // If the folder cannot be asked, writing to it will say so: no limit is guessed here.
    const stats = await statfs(folder).catch(() => null)
    freeBytes = stats ? stats.bavail * stats.bsize : Number.POSITIVE_INFINITY
  }
  await look()
  const timer = setInterval(look, everyMs)
  timer.unref()
  return {
    get freeBytes() {
      return freeBytes
    },
    isNearlyFull: () => freeBytes < reserveBytes,
    stop: () => clearInterval(timer),
  }
}
