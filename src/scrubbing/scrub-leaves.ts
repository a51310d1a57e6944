import { filteredBySdk, scrubbed } from './scrub-text.ts'

/** Deeper values under a private key are replaced as a whole. */
const maxDepth = 16

/** Scrubs all values under a private key but keeps the structure: the names of cookies are useful. */
export function scrubLeaves(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value === '' || value === filteredBySdk ? value : scrubbed
  if (typeof value === 'number') return scrubbed
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return scrubbed
  if (Array.isArray(value)) return value.map(member => scrubLeaves(member, depth + 1))
  const members = value as { [key: string]: unknown }
  // In place, so that an own `__proto__` key stays an own key.
  for (const key in members) members[key] = scrubLeaves(members[key], depth + 1)
  return members
}

/** Whether scrubbing would change anything: a value that the SDK has filtered already needs no note. */
export function hasLeaves(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value !== '' && value !== filteredBySdk && value !== scrubbed
  if (typeof value === 'number') return true
  if (typeof value !== 'object' || value === null) return false
  if (depth >= maxDepth) return true
  if (Array.isArray(value)) return value.some(member => hasLeaves(member, depth + 1))
  const members = value as { [key: string]: unknown }
  for (const key in members) if (hasLeaves(members[key], depth + 1)) return true
  return false
}
