import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Committed } from '#inbox/seals.ts'
import { freeSegment, listSegments, spoolFolder } from '#inbox/segments.ts'

export type DigestedFiles = {
  /** The large bodies of a batch. */
  add(batch: number, spools: string[]): void
  /** Frees all files before the batch that seals.log durably names as committed. */
  remove(committed: Committed): Promise<void>
}

/**
 * Frees the disk space of committed records: segments are reused or deleted, spooled bodies are deleted. Not before seals.log
 * names the batch as committed: a control database that lost its last commits would need the files again.
 */
export function createDigestedFiles(folder: string): DigestedFiles {
  let pending: { batch: number; spools: string[] }[] = []
  let removedUpTo = 0
  return {
    add: (batch, spools) => void pending.push({ batch, spools }),
    remove: async committed => {
      if (committed.batch === removedUpTo) return
      for (const { spools } of pending.filter(({ batch }) => batch <= committed.batch))
        for (const name of spools) await rm(join(spoolFolder(folder), name), { force: true })
      pending = pending.filter(({ batch }) => batch > committed.batch)
      for (const segment of await listSegments(folder))
        if (segment < committed.segment) await freeSegment(folder, segment)
      removedUpTo = committed.batch
    },
  }
}
