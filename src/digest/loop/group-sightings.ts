import type { Sighting } from '../yield.ts'

/** A batch's sightings of one hash. */
export type SightingGroup = {
  first: Sighting
  last: Sighting
  count: number
  users: Set<string>
  /** By hash: many groups of an older version may have become this one. */
  fallbacks: Map<string, { version: number; hash: string }>
}

/** In the order of their keys: two nodes that count the same hashes lock them in the same order. */
export function groupSightings(sightings: Sighting[]): SightingGroup[] {
  const groups = new Map<string, SightingGroup>()
  for (const sighting of sightings) {
    const key = `${sighting.projectId}:${sighting.groupVersion}:${sighting.groupHash}`
    const group = groups.get(key) ?? newGroup(sighting)
    groups.set(key, group)
    group.count += sighting.weight
    if (sighting.timestamp < group.first.timestamp) group.first = sighting
    if (sighting.timestamp >= group.last.timestamp) group.last = sighting
    if (sighting.userHash !== '0') group.users.add(sighting.userHash)
    for (const fallback of sighting.groupFallbacks)
      group.fallbacks.set(`${fallback.version}:${fallback.hash}`, fallback)
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

const newGroup = (sighting: Sighting): SightingGroup => ({
  first: sighting,
  last: sighting,
  count: 0,
  users: new Set(),
  fallbacks: new Map(),
})
