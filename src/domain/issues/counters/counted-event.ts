import { addUsers, countUsers, decodeUserSketch, emptyUserSketch, encodeUserSketch } from '#lib/user-sketch.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import type { GroupedEvent } from './grouped-event.ts'

/** The fields of an event that counters and lifecycle rules need. */
export type CountedEvent = {
  projectId: number
  groupVersion: number
  groupHash: string
  eventId: string
  timestamp: number
  /** The timestamp, capped at the time of receipt: a client's clock may be ahead. */
  occurredAt: number
  receivedAt: number
  release: string
  isUnhandled: boolean
  weight: number
  /** '0' without a user. */
  userHash: string
  /** Users of a flood whose events this one represents. */
  representedUsers: readonly string[]
}

export const toCountedEvent = (row: EventRow, representedUsers: readonly string[] = []): CountedEvent => ({
  projectId: row.project_id,
  groupVersion: row.group_version,
  groupHash: row.group_hash,
  eventId: row.event_id,
  timestamp: row.timestamp,
  occurredAt: Math.min(row.timestamp, row.received_at),
  receivedAt: row.received_at,
  release: cleanRelease(row.release),
  isUnhandled: !row.is_handled,
  weight: row.weight,
  userHash: row.user_hash,
  representedUsers,
})

/** PostgreSQL rejects U+0000 in text. */
export const cleanRelease = (release: string): string =>
  release.includes('\0') ? release.replaceAll('\0', '') : release

export const hashKey = ({
  projectId,
  groupVersion,
  groupHash,
}: Pick<CountedEvent, 'projectId' | 'groupVersion' | 'groupHash'>): string =>
  `${projectId}:${groupVersion}:${groupHash}`

export const dayOf = (timestampMs: number): number => Math.floor(timestampMs / 86_400_000)
export const hourOf = (timestampMs: number): number => Math.floor(timestampMs / 3_600_000)

/** The events of one hash in a batch. */
export type EventGroup = {
  first: GroupedEvent
  last: GroupedEvent
  count: number
  users: Set<string>
  /** By hash: several groups of an older grouping version may have become this one. */
  fallbacks: Map<string, { version: number; hash: string }>
}

/** Sorted by key, so that two nodes that count the same hashes lock them in the same order. */
export function groupByHash(groupedEvents: GroupedEvent[]): EventGroup[] {
  const groups = new Map<string, EventGroup>()
  for (const grouped of groupedEvents) {
    const key = `${grouped.projectId}:${grouped.groupVersion}:${grouped.groupHash}`
    const group = groups.get(key) ?? newGroup(grouped)
    groups.set(key, group)
    group.count += grouped.weight
    if (grouped.timestamp < group.first.timestamp) group.first = grouped
    if (grouped.timestamp >= group.last.timestamp) group.last = grouped
    if (grouped.userHash !== '0') group.users.add(grouped.userHash)
    for (const fallback of grouped.groupFallbacks) group.fallbacks.set(`${fallback.version}:${fallback.hash}`, fallback)
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

const newGroup = (grouped: GroupedEvent): EventGroup => ({
  first: grouped,
  last: grouped,
  count: 0,
  users: new Set(),
  fallbacks: new Map(),
})

export function sketchUsers(
  stored: Uint8Array | null,
  users: ReadonlySet<string>,
): { user_sketch: Uint8Array; user_count: number } {
  const sketch = addUsers(stored === null ? emptyUserSketch : decodeUserSketch(stored), users)
  return { user_sketch: encodeUserSketch(sketch), user_count: countUsers(sketch) }
}
