/**
 * Files of the inbox whose every record is committed are used again or deleted: the disk comes back as digest goes on. They wait until
 * seals.log says so too: a control database that lost its last commits would look for them.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Committed } from '#inbox/seals.ts'
import { listSegments, spoolFolder } from '#inbox/segments.ts'
import { giveBack } from '#inbox/spare-segment.ts'

export type DigestedFiles = {
  /** The large bodies of a batch. */
  add(batch: number, spools: string[]): void
  /** Takes away what lies before the batch that seals.log durably names as committed. */
  remove(committed: Committed): Promise<void>
}

export function createDigestedFiles(folder: string): DigestedFiles {
  let waiting: { batch: number; spools: string[] }[] = []
  let removedUpTo = 0
  return {
    add: (batch, spools) => void waiting.push({ batch, spools }),
    remove: async committed => {
      if (committed.batch === removedUpTo) return
      for (const { spools } of waiting.filter(({ batch }) => batch <= committed.batch))
        for (const name of spools) await rm(join(spoolFolder(folder), name), { force: true })
      waiting = waiting.filter(({ batch }) => batch > committed.batch)
      for (const segment of await listSegments(folder)) if (segment < committed.segment) await giveBack(folder, segment)
      removedUpTo = committed.batch
    },
  }
}
