import { expect, test } from 'vitest'
import type { KeyEntry } from '#store/control/read-keys.ts'
import { createKeyCache } from './key-cache.ts'

const entry: KeyEntry = {
  publicKey: 'fresh',
  keyId: 1,
  projectId: 7,
  isActive: true,
  eventsPerMinute: 0,
  isInternal: false,
  isDeleted: false,
}

test('a refresh finds a new key', async () => {
  const keys: KeyEntry[] = []
  const keyCache = createKeyCache({ read: async () => ({ keys: [...keys], projectIds: [7] }), now: () => 0 })
  expect(keyCache.find(7, 'fresh')).toBeNull()
  keys.push(entry)
  await keyCache.refresh()
  expect(keyCache.find(7, 'fresh')).toMatchObject({ keyId: 1 })
  expect(keyCache.find(8, 'fresh')).toBeNull()
})

test('many unknown keys cause at most four reads a second', async () => {
  let [now, reads] = [0, 0]
  const read = async () => {
    reads += 1
    return { keys: [], projectIds: [] }
  }
  const keyCache = createKeyCache({ read, now: () => now })
  for (; now < 1_000; now += 1) await keyCache.refresh()
  expect(reads).toBe(4)
})

test('known keys stay valid while the database is unavailable', async () => {
  const keyCache = createKeyCache({ read: () => Promise.reject(new Error('away')), now: () => 0 })
  keyCache.replace({ keys: [entry], projectIds: [7] })
  await keyCache.refresh()
  expect(keyCache.find(7, 'fresh')).not.toBeNull()
})
