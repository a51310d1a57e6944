import { statfs } from 'node:fs/promises'

type DiskWatch = { isNearlyFull(): boolean; stop(): void }

const everyMs = 3_000

/** Checks the free space every few seconds, so that ingest answers 429 before the disk is full. */
export async function watchDisk(folder: string, reserveBytes: number): Promise<DiskWatch> {
  let freeBytes = Number.POSITIVE_INFINITY
  async function readFreeSpace(): Promise<void> {
    // Without an answer no limit applies: if the disk is broken, writing to it fails anyway.
    const stats = await statfs(folder).catch(() => null)
    freeBytes = stats ? stats.bavail * stats.bsize : Number.POSITIVE_INFINITY
  }
  await readFreeSpace()
  const timer = setInterval(readFreeSpace, everyMs)
  timer.unref()
  return { isNearlyFull: () => freeBytes < reserveBytes, stop: () => clearInterval(timer) }
}

/** The free part of the disk, from 0 to 1; null if it cannot be told. */
export async function readFreeShare(folder: string): Promise<number | null> {
  const stats = await statfs(folder).catch(() => null)
  return stats === null || stats.blocks === 0 ? null : stats.bavail / stats.blocks
}
