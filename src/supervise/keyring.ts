/** Keys in memory, replaced as a whole whenever the digest thread sees a change, or a key arrives that nobody knows. */
import type { Keyring, KeyState } from '#ingest/ports.ts'
import type { KeyringSnapshot } from '#store/control/read-keyring.ts'

export type LiveKeyring = Keyring & { replace(snapshot: KeyringSnapshot): void }

type Options = { read(): Promise<KeyringSnapshot>; now(): number }

/** Between two looks. However many strangers knock, the database is asked so often and no more. */
const pauseMs = 250

export function createKeyring({ read, now }: Options): LiveKeyring {
  let byKey = new Map<string, KeyState>()
  let projects = new Set<number>()
  let lastLook = { at: Number.NEGATIVE_INFINITY, done: Promise.resolve() }

  function replace(snapshot: KeyringSnapshot): void {
    byKey = new Map(snapshot.keys.map(({ publicKey, ...state }) => [publicKey, state]))
    projects = new Set(snapshot.projectIds)
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
      if (now() - lastLook.at >= pauseMs) lastLook = { at: now(), done: read().then(replace, () => undefined) }
      return lastLook.done
    },
    replace,
  }
}
