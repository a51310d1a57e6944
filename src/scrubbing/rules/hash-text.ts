import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { HashText } from './compile-rule.ts'

/** 64 bits: enough to tell the users of an app apart. */
const hashChars = 16
const knownTextChars = 256

/** Keyed, because otherwise an attacker could guess the text. The same text of one organization has the same hash. */
export function createTextHash(key: string, organizationId: number): HashText {
  const known = new LRUCache<string, string>({ max: 5_000 })
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    const digest = createHmac('sha256', key).update(`${organizationId}:${text}`).digest('hex')
    const hashed = `hash:${digest.slice(0, hashChars)}`
    if (text.length <= knownTextChars) known.set(text, hashed)
    return hashed
  }
}
