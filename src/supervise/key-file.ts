/** The keys of the last run on disk, so that ingest can start while the control database is away. DSN keys are public, who has which is not: mode 0600. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { KeyringSnapshot } from '#store/control/read-keyring.ts'

const fileName = 'keys.json'

const snapshotSchema = z.object({
  keys: z.array(
    z.object({
      publicKey: z.string(),
      keyId: z.number(),
      projectId: z.number(),
      isActive: z.boolean(),
      eventsPerMinute: z.number(),
      isInternal: z.boolean().default(false),
    }),
  ),
  projectIds: z.array(z.number()),
})

export async function readKeyFile(dataDir: string): Promise<KeyringSnapshot> {
  try {
    return snapshotSchema.parse(JSON.parse(await readFile(join(dataDir, fileName), 'utf8')))
  } catch {
    return { keys: [], projectIds: [] } // the first start ever, or a damaged file: no key is known
  }
}

/** One write at a time, and of those that wait the last one only. */
export function createKeyFile(dataDir: string): { write(snapshot: KeyringSnapshot): void } {
  const path = join(dataDir, fileName)
  let next: KeyringSnapshot | null = null
  let isWriting = false
  async function drain(): Promise<void> {
    while (next !== null) {
      const text = JSON.stringify(next)
      next = null
      try {
        await writeFile(`${path}.new`, text, { mode: 0o600, flush: true })
        await rename(`${path}.new`, path)
      } catch {
        // A disk that is full says so elsewhere; the next change tries again.
      }
    }
    isWriting = false
  }
  return {
    write: snapshot => {
      next = snapshot
      if (isWriting) return
      isWriting = true
      void drain()
    },
  }
}
