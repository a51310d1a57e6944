import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type LogPosition, readSlice } from '#inbox/read-log.ts'
import type { Committed } from '#inbox/seals.ts'
import { cleanSpare, clearSegment, freeSegment, listSegments, segmentPath, spoolFolder } from '#inbox/segments.ts'
import { listSpool } from '#inbox/survey-log.ts'

export type DigestedFiles = {
  /** The large bodies of a batch. */
  add(batch: number, spools: string[]): void
  /** Frees all files before the batch that seals.log durably names as committed. */
  remove(committed: Committed): Promise<void>
  /**
   * Overwrites what the segment in use and the spare still hold of these batches, at most every ten minutes. Without it, an installation
   * that receives little would keep erased data for months.
   */
  wipe(committed: Committed): Promise<void>
}

const wipeEveryMs = 10 * 60_000

/**
 * Frees the disk space of committed records: segments are reused or deleted, spooled bodies are deleted. Not before seals.log
 * names the batch as committed: a control database that lost its last commits would need the files again.
 */
export function createDigestedFiles(folder: string, now = () => performance.now()): DigestedFiles {
  let pending: { batch: number; spools: string[] }[] = []
  let removedUpTo = 0
  let wipedAt = Number.NEGATIVE_INFINITY
  let wiped = { segment: 0, position: 0 }
  let isSpareClean = false
  return {
    add: (batch, spools) => void pending.push({ batch, spools }),
    remove: async committed => {
      if (committed.batch === removedUpTo) return
      for (const { spools } of pending.filter(({ batch }) => batch <= committed.batch))
        for (const name of spools) await rm(join(spoolFolder(folder), name), { force: true })
      pending = pending.filter(({ batch }) => batch > committed.batch)
      for (const segment of await listSegments(folder))
        if (segment < committed.segment) {
          isSpareClean = false
          await freeSegment(folder, segment)
        }
      removedUpTo = committed.batch
    },
    wipe: async ({ segment, position }) => {
      if (now() - wipedAt < wipeEveryMs) return
      wipedAt = now()
      if (!isSpareClean) await cleanSpare(folder)
      isSpareClean = true
      const from = wiped.segment === segment ? wiped.position : 0
      if (position <= from || (await isKept(folder, segment))) return
      await clearSegment(folder, segment, { from, to: position })
      wiped = { segment, position }
    },
  }
}

/** A damaged segment has a second link for the operator; one that is gone needs nothing. */
const isKept = async (folder: string, segment: number): Promise<boolean> =>
  (await stat(segmentPath(folder, segment)).catch(() => null))?.nlink !== 1

const bound = { maxRecords: 10_000, maxBytes: 16 * 1024 * 1024, maxFiles: 64 }

/**
 * Deletes the spooled bodies of committed records that a thread has left because it ended between the commit and the deletion. Only the
 * start of Hydrant looks for bodies that no record names, and it may run for months.
 */
export async function removeLeftBodies(folder: string, committed: Committed): Promise<void> {
  const left = await listSpool(folder)
  const [first] = await listSegments(folder)
  if (left.size === 0 || first === undefined) return
  for (let at: LogPosition = { segment: first, position: 0 }; ; ) {
    const slice = await readSlice(folder, at, committed, bound)
    for (const { record } of slice.records) {
      const name = record.head.spool?.name
      if (name !== undefined && left.has(name)) await rm(join(spoolFolder(folder), name), { force: true })
    }
    if (slice.records.length === 0 && slice.damaged.length === 0) return
    at = slice.next
  }
}
