/** Takes back what an item yielded before it failed: half an item would be counted as a whole one. */
import type { TableName } from '#store/telemetry/rows.ts'
import type { RecordYield } from './yield.ts'

export type Mark = {
  rows: Map<TableName, number>
  sightings: number
  stacks: number
  monitors: number
  blobs: number
  outcomes: number
  dedupeId: string | null
}

export function mark(out: RecordYield): Mark {
  const rows = new Map<TableName, number>()
  for (const table in out.rows) rows.set(table as TableName, out.rows[table as TableName]?.length ?? 0)
  return {
    rows,
    sightings: out.sightings.length,
    stacks: out.stacks.length,
    monitors: out.monitors.length,
    blobs: out.blobs.length,
    outcomes: out.outcomes.length,
    dedupeId: out.dedupeId,
  }
}

export function rollBack(out: RecordYield, to: Mark): void {
  for (const table in out.rows) {
    const rows = out.rows[table as TableName]
    if (rows !== undefined) rows.length = to.rows.get(table as TableName) ?? 0
  }
  out.sightings.length = to.sightings
  out.stacks.length = to.stacks
  out.monitors.length = to.monitors
  out.blobs.length = to.blobs
  out.outcomes.length = to.outcomes
  out.dedupeId = to.dedupeId
}
