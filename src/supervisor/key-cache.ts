/** All DSN keys in memory. Replaced as a whole when the digest thread sees a change, or when a request has an unknown key. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { KeyCache, KeyState } from '#ingest/ports.ts'
import { settleWithin } from '#lib/timing.ts'
import type { KeySnapshot } from '#store/control/read-keys.ts'
import { createJsonFile } from './json-file.ts'

type LiveKeyCache = KeyCache & {
  isStale(): boolean
  replace(snapshot: KeySnapshot): void
  /** Uses the keys of the last run while the control database is unavailable. */
  restore(snapshot: KeySnapshot): void
}

type Options = { read(): Promise<KeySnapshot>; now(): number; onChange?(snapshot: KeySnapshot): void }

/** At most one refresh per 250 ms, however many unknown keys arrive. */
const refreshEveryMs = 250
/** A database that hangs must not hold up SDKs. */
const readTimeoutMs = 2_000

export function createKeyCache({ read, now, onChange }: Options): LiveKeyCache {
  let byKey = new Map<string, KeyState>()
  let projects = new Set<number>()
  let isStale = false
  let lastRefresh = { at: Number.NEGATIVE_INFINITY, done: Promise.resolve() }

  function replace(snapshot: KeySnapshot): void {
    byKey = new Map(snapshot.keys.map(({ publicKey, ...state }) => [publicKey, state]))
    projects = new Set(snapshot.projectIds)
    isStale = false
    onChange?.(snapshot)
  }

  async function refresh(): Promise<void> {
    const snapshot = await settleWithin(read(), readTimeoutMs)
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
    refresh: () => {
      // If the read fails, the known keys stay valid.
      if (now() - lastRefresh.at >= refreshEveryMs) lastRefresh = { at: now(), done: refresh() }
      return lastRefresh.done
    },
    isStale: () => isStale,
    replace,
    restore: snapshot => {
      replace(snapshot)
      isStale = true
    },
  }
}

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
      isDeleted: z.boolean().default(false),
    }),
  ),
  projectIds: z.array(z.number()),
})

/** The keys of the last run, so that ingest can start while the control database is unavailable. */
export async function readKeyFile(dataDir: string): Promise<KeySnapshot> {
  try {
    return snapshotSchema.parse(JSON.parse(await readFile(join(dataDir, fileName), 'utf8')))
  } catch {
    return { keys: [], projectIds: [] } // first start, or a damaged file
  }
}

/** Mode 0600: a DSN key is public, but whose it is is not. */
export const createKeyFile = (dataDir: string) => createJsonFile<KeySnapshot>(join(dataDir, fileName))
