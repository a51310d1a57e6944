/** The result of processing one inbox record: rows and side effects, nothing written yet. A repeat gives the same data. */
import type { GroupedEvent, HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import type { MonitorCheckIn } from '#domain/monitors/record-check-ins.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { EventRow, Rows, TableName } from '#store/telemetry/rows.ts'
import type { MinifiedFrame } from '#symbolication/symbolicate-events.ts'
import type { OwnRules } from './own-rules/find-own-rules.ts'

export type DigestContext = {
  /** Inbox id, segment and offset: unique, and the same on every repeat. Missing ids are derived from it. */
  recordId: string
  retentionDays: { errors: number; rest: number }
  /** Holds the bodies that were too large for the log. */
  spoolFolder: string
  /** The scrubbing rules that members have written; none in most installations. */
  ownRules?: OwnRules | null
}

/** The part of a filtered event that is kept as an example. */
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

/** An event with minified frames. When a source map is found for them, its row and grouping are made again. */
export type MinifiedStack = {
  /** The event before own scrubbing rules, if they changed it: it is grouped by what was sent. */
  sentData?: string
  row: EventRow
  grouped: GroupedEvent
  frames: MinifiedFrame[]
  /** The frames that decided the hash and whose names change with every build. */
  deciding: MinifiedFrame[]
}

/** A hash made of minified frames, and the build whose source map is missing. */
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
  /** Set when the record has an event, transaction or feedback: a second record with the same id is a duplicate. */
  dedupeId: string | null
  rows: { [Table in TableName]?: Rows[Table][] }
  groupedEvents: GroupedEvent[]
  stacks: MinifiedStack[]
  unmapped: UnmappedEvent[]
  /** Artifact bundles whose source maps were used. */
  usedBundleIds: number[]
  monitors: MonitorCheckIn[]
  blobs: BlobWrite[]
  outcomes: Outcome[]
  filtered: FilteredEvent[]
  held: HeldEvent[]
  /** Items whose processing threw: stored as dead letters, logged and counted. */
  faults: { itemType: string; message: string; payload: BlobSource }[]
}

export function addRow<Table extends TableName>(out: ProcessedRecord, table: Table, row: Rows[Table]): void {
  const rows = out.rows as { [T in Table]?: Rows[T][] }
  const list = rows[table]
  if (list === undefined) rows[table] = [row]
  else list.push(row)
}

export function emptyProcessed(projectId: number): ProcessedRecord {
  return {
    projectId,
    items: new Map(),
    dedupeId: null,
    rows: {},
    groupedEvents: [],
    stacks: [],
    unmapped: [],
    usedBundleIds: [],
    monitors: [],
    blobs: [],
    outcomes: [],
    filtered: [],
    held: [],
    faults: [],
  }
}

type Mark = {
  rows: Map<TableName, number>
  groupedEvents: number
  stacks: number
  monitors: number
  blobs: number
  outcomes: number
  dedupeId: string | null
}

/** How much the record has yielded so far, for `rollBack`. */
export function markProgress(out: ProcessedRecord): Mark {
  const rows = new Map<TableName, number>()
  for (const table in out.rows) rows.set(table as TableName, out.rows[table as TableName]?.length ?? 0)
  return {
    rows,
    groupedEvents: out.groupedEvents.length,
    stacks: out.stacks.length,
    monitors: out.monitors.length,
    blobs: out.blobs.length,
    outcomes: out.outcomes.length,
    dedupeId: out.dedupeId,
  }
}

/** Removes what an item yielded before it failed: half an item would be counted as a whole one. */
export function rollBack(out: ProcessedRecord, to: Mark): void {
  for (const table in out.rows) {
    const rows = out.rows[table as TableName]
    if (rows !== undefined) rows.length = to.rows.get(table as TableName) ?? 0
  }
  out.groupedEvents.length = to.groupedEvents
  out.stacks.length = to.stacks
  out.monitors.length = to.monitors
  out.blobs.length = to.blobs
  out.outcomes.length = to.outcomes
  out.dedupeId = to.dedupeId
}
