/** What understanding one inbox record yields: rows and side effects, nothing written yet. Pure data, the same on every repeat. */
import type { GroupedEvent, HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import type { MonitorCheckIn } from '#domain/monitors/record-check-ins.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { EventRow, Rows, TableName } from '#store/telemetry/rows.ts'
import type { MinifiedFrame } from '#symbolication/symbolicate-events.ts'

export type DigestContext = {
  /** Unique and the same on every repeat: inbox id, segment, offset. Ids that the wire lacks are derived from it. */
  recordId: string
  retentionDays: { errors: number; rest: number }
  /** Where the bodies lie that were too large for the log. */
  spoolFolder: string
}

/** An event that a filter dropped, as far as people want to see it. */
export type FilteredEvent = {
  projectId: number
  rule: string
  eventId: string
  at: number
  title: string
  route: string
  release: string
  browser: string
}

export type BlobSource = { kind: 'bytes'; bytes: Buffer } | { kind: 'file'; path: string; start: number; end: number }
export type BlobWrite = { key: string; source: BlobSource }

/** An event whose frames a source map may know: with them found, row and sighting are made anew from the event. */
export type MinifiedStack = {
  row: EventRow
  grouped: GroupedEvent
  frames: MinifiedFrame[]
  /** Those of them that decided the hash and whose names change with every build. */
  deciding: MinifiedFrame[]
}

/** A hash that was made of minified frames, and which maps would have helped. */
export type UnmappedEvent = {
  projectId: number
  groupVersion: number
  groupHash: string
  debugId: string
  release: string
  dist: string
  eventId: string
}

export type ProcessedRecord = {
  projectId: number
  /** Envelope items by item type; a container is one. */
  items: Map<string, number>
  /** Set when the record carries an event, transaction or feedback: a second delivery with the same id is dropped whole. */
  dedupeId: string | null
  rows: { [Table in TableName]?: Rows[Table][] }
  groupedEvents: GroupedEvent[]
  stacks: MinifiedStack[]
  unmapped: UnmappedEvent[]
  /** Bundles that an event needed. */
  usedBundleIds: number[]
  monitors: MonitorCheckIn[]
  blobs: BlobWrite[]
  outcomes: Outcome[]
  filtered: FilteredEvent[]
  held: HeldEvent[]
  /** Items that could not be understood because of a fault of ours: kept as blobs, logged, counted. */
  faults: { itemType: string; message: string; payload: BlobSource }[]
}

export function addRow<Table extends TableName>(out: ProcessedRecord, table: Table, row: Rows[Table]): void {
  const rows = out.rows as { [T in Table]?: Rows[T][] }
  const list = rows[table]
  if (list === undefined) rows[table] = [row]
  else list.push(row)
}
