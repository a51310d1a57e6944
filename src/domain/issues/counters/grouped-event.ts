import type { GroupKey } from '#grouping/group-event.ts'
import type { Side } from '#react/side.ts'
import type { EventRow } from '#store/telemetry/rows.ts'

/** An event with its grouping, ready to be counted: the source of its hash row and, the first time, of its issue. */
export type GroupedEvent = {
  projectId: number
  groupVersion: number
  groupHash: string
  /** Hashes of older grouping versions: when the current hash is new, they lead to the existing issue. */
  groupFallbacks: GroupKey[]
  eventId: string
  timestamp: number
  title: string
  culprit: string
  kind: string
  level: string
  side: Side
  release: string
  /** Decimal string of 64 bits, '0' without a user. */
  userHash: string
  weight: number
  /** Ids of the noise rules that match (react/noise). The project's filters decide what happens to the event. */
  noise: string[]
  /** Whether it is deploy skew (react/deploy-skew.ts). */
  isSkew: boolean
  /** Deploy skew that a server reports: of an older build than its own, whose release it does not know. */
  isMissingFile?: boolean | undefined
  /** Set when a browser reports an error whose details only the server has (react/server-error.ts). */
  serverError: ServerErrorClue | null
}

/** An echo has the message of the server's error, which must be the same; any other has the digest, '' without one. */
export type ServerErrorClue = { digest: string; isEcho?: boolean | undefined }

/** A browser error that waits for the server's event of the same request. */
export type HeldEvent = { row: EventRow; grouped: GroupedEvent }
