/** What the player page shows beside the picture. All `at` are milliseconds since the start of the replay. */
export type SyncRow = {
  id: string
  at: number
  /** How long before the start it happened; such a row leads to the start. */
  earlierMs?: number
  icon:
    | 'click'
    | 'rage'
    | 'dead'
    | 'page'
    | 'input'
    | 'console'
    | 'request'
    | 'error'
    | 'server'
    | 'feedback'
    | 'tab'
    | 'log'
    | 'memory'
  look: 'plain' | 'warning' | 'error'
  verb: string
  /** Recorded text: selector, path, message. */
  what: string
  /** At the end of the row. */
  note: string
  /** Where a click on the note leads. */
  href?: string
  /** The element in the picture. */
  nodeId?: number
  /** Drawn above the rows. */
  amount?: number
}

export type Mark = { at: number; kind: 'click' | 'rage' | 'error' | 'warning' | 'idle'; label: string; toMs?: number }
export type PageBar = { from: number; to: number; path: string }
export type ServerBar = {
  at: number
  durationMs: number
  name: string
  statusCode: number
  isFailed: boolean
  traceId: string
  spanId: string
}

export type ReplayData = {
  replayId: string
  /** Of this replay: `/acme/replays/…`. */
  path: string
  /** Of the organization's traces. */
  tracesPath: string
  startedAt: number
  durationMs: number
  openAt: number
  pages: PageBar[]
  marks: Mark[]
  servers: ServerBar[]
  tabs: { id: string; label: string; rows: SyncRow[]; empty: string }[]
  missingSegments: number[]
  segmentCount: number
}
