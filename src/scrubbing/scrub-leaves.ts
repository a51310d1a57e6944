import { filteredBySdk, scrubbed } from './scrub-text.ts'

/** Levels. Deeper values under a private key are removed whole. */
const maxDepth = 16

/** Everything under a private key, with its shape kept: the names of cookies help, their values do not. */
export function scrubLeaves(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value === '' || value === filteredBySdk ? value : scrubbed
  if (typeof value === 'number') return scrubbed
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return scrubbed
  if (Array.isArray(value)) return value.map(member => scrubLeaves(member, depth + 1))
  const members = value as { [key: string]: unknown }
  // In place: an own `__proto__` key stays an own key when it is assigned to.
  for (const key in members) members[key] = scrubLeaves(members[key], depth + 1)
  return members
}

/** Whether scrubbing would change anything: a value that the SDK already filtered needs no note. */
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
