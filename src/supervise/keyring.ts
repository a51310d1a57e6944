/** Keys in memory, replaced as a whole whenever the digest thread sees a change. */
import type { Keyring, KeyState } from '#ingest/ports.ts'
import type { KeyringSnapshot } from '#store/control/read-keyring.ts'

export type LiveKeyring = Keyring & { replace(snapshot: KeyringSnapshot): void }

export function createKeyring(): LiveKeyring {
  let byKey = new Map<string, KeyState>()
  let projects = new Set<number>()
  return {
    find: (projectId, publicKey) => {
      const key = byKey.get(publicKey)
      return key?.projectId === projectId ? key : null
    },
    findByKey: publicKey => byKey.get(publicKey) ?? null,
    hasProject: projectId => projects.has(projectId),
    replace: snapshot => {
      byKey = new Map(snapshot.keys.map(({ publicKey, ...state }) => [publicKey, state]))
      projects = new Set(snapshot.projectIds)
    },
  }
}
