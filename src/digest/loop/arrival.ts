import type { EventRow } from '#store/telemetry/rows.ts'

/** What workflow wants to know of an event. */
export type Arrival = {
  projectId: number
  groupVersion: number
  groupHash: string
  eventId: string
  timestamp: number
  /** The timestamp, or the time of receipt where a fast clock puts the event into the future. */
  occurredAt: number
  receivedAt: number
  release: string
  isUnhandled: boolean
  weight: number
  /** '0' where nobody is named. */
  userHash: string
}

export const arrivalOf = (row: EventRow): Arrival => ({
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
})

/** PostgreSQL has no place for U+0000 in a text. */
export const cleanRelease = (release: string): string =>
  release.includes('\0') ? release.replaceAll('\0', '') : release

export const hashKey = ({
  projectId,
  groupVersion,
  groupHash,
}: Pick<Arrival, 'projectId' | 'groupVersion' | 'groupHash'>): string => `${projectId}:${groupVersion}:${groupHash}`

export const dayOf = (timestampMs: number): number => Math.floor(timestampMs / 86_400_000)
export const hourOf = (timestampMs: number): number => Math.floor(timestampMs / 3_600_000)
