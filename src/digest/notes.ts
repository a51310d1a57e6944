/** What was changed on an item before it was stored, told by path, so that a reader never takes a cut for the truth. */

import type { TableName } from '#store/telemetry/rows.ts'
import { limits } from './limits.ts'
import type { ProcessedRecord } from './processed-record.ts'

type NoteKind = 'trimmed' | 'scrubbed' | 'clamped' | 'invalid' | 'depth'
type Note = { path: string; kind: NoteKind; detail?: string }

export class Notes {
  readonly list: Note[] = []
  /** Notes beyond the bound: counted, not kept. */
  dropped = 0

  add(kind: NoteKind, given: string, detail?: string): void {
    const path = given.length > limits.nameChars ? given.slice(0, limits.nameChars) : given
    if (this.list.length >= limits.notes) this.dropped++
    else this.list.push(detail === undefined ? { path, kind } : { path, kind, detail })
  }

  get isEmpty(): boolean {
    return this.list.length === 0
  }

  /** The form kept in an event's JSON under `_hydrant`. */
  toJson(): { notes: Note[]; dropped?: number } {
    return this.dropped === 0 ? { notes: this.list } : { notes: this.list, dropped: this.dropped }
  }

  /** The form kept in the attribute `hydrant.notes`: one line, `kind path; kind path`. */
  toLine(): string {
    const line = this.list.map(note => `${note.kind} ${note.path}`).join('; ')
    return this.dropped === 0 ? line : `${line}; ${this.dropped} more`
  }
}

/* Takes back what an item yielded before it failed: half an item would be counted as a whole one. */

type Mark = {
  rows: Map<TableName, number>
  groupedEvents: number
  stacks: number
  monitors: number
  blobs: number
  outcomes: number
  dedupeId: string | null
}

export function mark(out: ProcessedRecord): Mark {
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
