import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { getRuntime } from '#runtime.ts'

/** By key. A blob never changes, so its hash is right as long as it is known. */
const known = new LRUCache<string, string>({ max: 5_000 })

/** The SHA-1 of a blob in hex digits; '' if the blob is gone. */
export async function hashBlob(key: string): Promise<string> {
  const found = known.get(key)
  if (found !== undefined) return found
  const bytes = await getRuntime().blobs.read(key)
  if (bytes === null) return ''
  const hash = createHash('sha1')
  for await (const chunk of bytes) hash.update(chunk as Uint8Array)
  const sha1 = hash.digest('hex')
  known.set(key, sha1)
  return sha1
}
