/** Drops the noise that a project does not want, and lets one in some stand for the rest where it wants a sample. */
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import type { Outcome } from '#lib/outcome.ts'
import { noiseRules } from '#react/noise/noise-rules.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { BatchRecord } from '../prepare-batch.ts'
import type { FilteredEvent, ProcessedRecord } from '../processed-record.ts'

type Filters = ReadonlyMap<string, readonly FilterChoice[]>
type Verdict = { kind: 'keep'; weight: number } | { kind: 'drop'; rule: string }

/**
 * The choice in force when the record was received counts, so a repeat of the batch drops the same events, whatever was chosen
 * since: choices are never changed, and begin a few seconds after they are written.
 */
export function applyFilters(record: BatchRecord, filters: Filters): BatchRecord {
  const noisy = record.processed.groupedEvents.filter(({ noise }) => noise.length > 0)
  if (noisy.length === 0) return record
  const unwanted = new Map<string, string>()
  const weights = new Map<string, number>()
  for (const grouped of noisy) {
    const verdict = judge(grouped, filters, record.receivedAt)
    if (verdict.kind === 'drop') unwanted.set(grouped.eventId, verdict.rule)
    else if (verdict.weight > 1) weights.set(grouped.eventId, verdict.weight)
  }
  const filtered = [...record.processed.filtered, ...describe(record.processed, unwanted)]
  const rest = dropEvents(record, unwanted)
  return { ...rest, processed: { ...weigh(rest.processed, weights), filtered } }
}

function judge({ noise, projectId, eventId }: GroupedEvent, filters: Filters, at: number): Verdict {
  let weight = 1
  for (const rule of noise) {
    const chosen = filters.get(filterKey(projectId, rule))?.find(({ since }) => since <= at)
    const mode = chosen?.mode ?? noiseRules.find(({ id }) => id === rule)?.byDefault ?? 'off'
    if (mode === 'on') return { kind: 'drop', rule }
    if (mode === 'off') continue
    const oneIn = Math.max(2, chosen?.keep_one_in ?? 10)
    if (!isPicked(eventId, oneIn)) return { kind: 'drop', rule }
    weight = Math.max(weight, oneIn)
  }
  return { kind: 'keep', weight }
}

/** By the event's own id, which is random: the same on every repeat, and on every node. */
const isPicked = (eventId: string, oneIn: number): boolean => Number.parseInt(eventId.slice(-8), 16) % oneIn === 0

function weigh(processed: ProcessedRecord, weights: ReadonlyMap<string, number>): ProcessedRecord {
  if (weights.size === 0) return processed
  return {
    ...processed,
    rows: {
      ...processed.rows,
      events: (processed.rows.events ?? []).map(row => ({ ...row, weight: weights.get(row.event_id) ?? row.weight })),
    },
    groupedEvents: processed.groupedEvents.map(each => ({ ...each, weight: weights.get(each.eventId) ?? each.weight })),
  }
}

function describe({ rows }: ProcessedRecord, unwanted: ReadonlyMap<string, string>): FilteredEvent[] {
  return (rows.events ?? []).flatMap(row => {
    const rule = unwanted.get(row.event_id)
    if (rule === undefined) return []
    const browser = `${row.browser_name} ${row.browser_version}`.trim()
    const { title, route, release } = row
    const from = { projectId: row.project_id, eventId: row.event_id, at: row.timestamp }
    return [{ ...from, rule, title, route: route || row.route_raw, release, browser }]
  })
}

/* Takes events out of what a record yielded, with the files that came for them, and counts them by why. */

/** `unwanted` gives the reason of each event that goes, by its id. */
export function dropEvents(record: BatchRecord, unwanted: ReadonlyMap<string, string>): BatchRecord {
  if (unwanted.size === 0) return record
  const { processed, receivedAt } = record
  const isKept = ({ event_id }: { event_id: string }): boolean => !unwanted.has(event_id)
  const { events = [], attachments = [] } = processed.rows
  const files = attachments.filter(row => !isKept(row))
  const blobs = new Set(files.map(row => row.blob))
  const outcome = (category: string, reason: string): Outcome => ({
    projectId: processed.projectId,
    category,
    kind: 'filtered',
    reason,
    quantity: 1,
    at: receivedAt,
  })
  const rest: ProcessedRecord = {
    ...processed,
    rows: { ...processed.rows, events: events.filter(isKept), attachments: attachments.filter(isKept) },
    groupedEvents: processed.groupedEvents.filter(grouped => !unwanted.has(grouped.eventId)),
    blobs: processed.blobs.filter(blob => !blobs.has(blob.key)),
    outcomes: [
      ...processed.outcomes,
      ...Array.from(unwanted.values(), reason => outcome('error', reason)),
      ...files.map(file => outcome('attachment', unwanted.get(file.event_id) ?? '')),
    ],
  }
  return { ...record, processed: rest }
}

type FilterChoice = ControlSchema['project_filter']

/** Every choice that the projects of a batch ever made about the noise that is in it, by project and rule, the newest first. */
export async function findFilters(
  control: Control,
  records: readonly BatchRecord[],
): Promise<Map<string, FilterChoice[]>> {
  const projectIds = new Set<number>()
  for (const { processed } of records)
    if (processed.groupedEvents.some(({ noise }) => noise.length > 0)) projectIds.add(processed.projectId)
  if (projectIds.size === 0) return new Map()
  const rows = await control.db
    .selectFrom('project_filter')
    .selectAll()
    .where('project_id', 'in', [...projectIds])
    .orderBy('since', 'desc')
    .execute()
  return Map.groupBy(rows, row => filterKey(row.project_id, row.rule))
}

const filterKey = (projectId: number, rule: string): string => `${projectId}:${rule}`
