import type { GroupKey } from '#grouping/group-event.ts'
import type { Side } from '#react/side.ts'
import type { EventRow } from '#store/telemetry/rows.ts'

/** One event of a group: what the hash row and, the first time, its issue are made from. */
export type GroupedEvent = {
  projectId: number
  groupVersion: number
  groupHash: string
  /** What older grouping versions call the group: where the hash is new they lead to the issue that exists already. */
  groupFallbacks: GroupKey[]
  eventId: string
  timestamp: number
  title: string
  culprit: string
  kind: string
  level: string
  side: Side
  release: string
  /** Decimal string of 64 bits, '0' where the user is unknown. */
  userHash: string
  weight: number
  /** The rules that know it as noise: lens/noise. What becomes of it is its project's choice. */
  noise: string[]
  /** Whether it shows that a deploy has moved on under an open tab: lens/skew. */
  isSkew: boolean
  /** Set where a browser reports an error that only the server can explain: lens/server-error. */
  serverError: { digest: string } | null
}

/** A browser's error that waits for the server's event of the same request. */
export type HeldEvent = { row: EventRow; grouped: GroupedEvent }
