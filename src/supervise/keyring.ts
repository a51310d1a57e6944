/** Keys in memory, replaced as a whole whenever the digest thread sees a change, or a key arrives that nobody knows. */

import type { Keyring, KeyState } from '#ingest/ports.ts'
import { settleWithin } from '#lib/settle-within.ts'
import type { KeyringSnapshot } from '#store/control/read-keyring.ts'

export type LiveKeyring = Keyring & {
  isStale(): boolean
  replace(snapshot: KeyringSnapshot): void
  /** From the last run, while the database cannot be asked. */
  restore(snapshot: KeyringSnapshot): void
}

type Options = { read(): Promise<KeyringSnapshot>; now(): number; onChange?(snapshot: KeyringSnapshot): void }

/** Between two looks. However many strangers knock, the database is asked so often and no more. */
const pauseMs = 250
/** A database that does not answer must not hold a sender. */
const lookMs = 2_000

export function createKeyring({ read, now, onChange }: Options): LiveKeyring {
  let byKey = new Map<string, KeyState>()
  let projects = new Set<number>()
  let isStale = false
  let lastLook = { at: Number.NEGATIVE_INFINITY, done: Promise.resolve() }

  function replace(snapshot: KeyringSnapshot): void {
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
