/** Keys in memory, replaced as a whole whenever the digest thread sees a change, or a key arrives that nobody knows. */

import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { KeyCache, KeyState } from '#ingest/ports.ts'
import { settleWithin } from '#lib/timing.ts'
import type { KeySnapshot } from '#store/control/read-keys.ts'

type LiveKeyCache = KeyCache & {
  isStale(): boolean
  replace(snapshot: KeySnapshot): void
  /** From the last run, while the database cannot be asked. */
  restore(snapshot: KeySnapshot): void
}

type Options = { read(): Promise<KeySnapshot>; now(): number; onChange?(snapshot: KeySnapshot): void }

/** Between two looks. However many strangers knock, the database is asked so often and no more. */
const pauseMs = 250
/** A database that does not answer must not hold a sender. */
const lookMs = 2_000

export function createKeyCache({ read, now, onChange }: Options): LiveKeyCache {
  let byKey = new Map<string, KeyState>()
  let projects = new Set<number>()
  let isStale = false
  let lastLook = { at: Number.NEGATIVE_INFINITY, done: Promise.resolve() }

  function replace(snapshot: KeySnapshot): void {
    byKey = new Map(snapshot.keys.map(({ publicKey, ...state }) => [publicKey, state]))
    projects = new Set(snapshot.projectIds)
    isStale = false
    onChange?.(snapshot)
  }

  async function look(): Promise<void> {
    const snapshot = await settleWithin(read(), lookMs)
    if (snapshot === null) isStale = true
    else replace(snapshot)
  }

  return {
    find: (projectId, publicKey) => {
      const key = byKey.get(publicKey)
      return key?.projectId === projectId ? key : null
    },
    findByKey: publicKey => byKey.get(publicKey) ?? null,
    hasProject: projectId => projects.has(projectId),
    lookAgain: () => {
      // Where control is away, the keys that are known go on.
      if (now() - lastLook.at >= pauseMs) lastLook = { at: now(), done: look() }
      return lastLook.done
    },
    isStale: () => isStale,
    replace,
    restore: snapshot => {
      replace(snapshot)
      isStale = true
    },
  }
}

/* The keys of the last run on disk, so that ingest can start while the control database is away. DSN keys are public, who has which is not: mode 0600. */

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

export async function readKeyFile(dataDir: string): Promise<KeySnapshot> {
  try {
    return snapshotSchema.parse(JSON.parse(await readFile(join(dataDir, fileName), 'utf8')))
  } catch {
    return { keys: [], projectIds: [] } // the first start ever, or a damaged file: no key is known
  }
}

/** One write at a time, and of those that wait the last one only. */
export function createKeyFile(dataDir: string): { write(snapshot: KeySnapshot): void } {
  const path = join(dataDir, fileName)
  let next: KeySnapshot | null = null
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
