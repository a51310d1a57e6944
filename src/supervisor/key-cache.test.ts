import { expect, test } from 'vitest'
import type { KeyringEntry } from '#store/control/read-keys.ts'
import { createKeyring } from './key-cache.ts'

const entry: KeyringEntry = {
  publicKey: 'fresh',
  keyId: 1,
  projectId: 7,
  isActive: true,
  eventsPerMinute: 0,
  isInternal: false,
}

test('a key that was just made is found by looking again', async () => {
  const keys: KeyringEntry[] = []
  const keyring = createKeyring({ read: async () => ({ keys: [...keys], projectIds: [7] }), now: () => 0 })
  expect(keyring.find(7, 'fresh')).toBeNull()
  keys.push(entry)
  await keyring.lookAgain()
  expect(keyring.find(7, 'fresh')).toMatchObject({ keyId: 1 })
  expect(keyring.find(8, 'fresh')).toBeNull()
})

test('strangers who knock all the time cause a few reads a second, and no more', async () => {
  let [now, reads] = [0, 0]
  const read = async () => {
    reads += 1
    return { keys: [], projectIds: [] }
  }
  const keyring = createKeyring({ read, now: () => now })
  for (; now < 1_000; now += 1) await keyring.lookAgain()
  expect(reads).toBe(4)
})

test('while the database is away, known keys stay known', async () => {
  const keyring = createKeyring({ read: () => Promise.reject(new Error('away')), now: () => 0 })
  keyring.replace({ keys: [entry], projectIds: [7] })
  await keyring.lookAgain()
  expect(keyring.find(7, 'fresh')).not.toBeNull()
})
