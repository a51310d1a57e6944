/** Inbound filters: drop the events of a noise rule, or keep a sample of them, as the project has chosen. */
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import type { Outcome } from '#lib/outcome.ts'
import { noiseRules } from '#react/noise/noise-rules.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { BatchRecord } from '../process-records.ts'
import type { FilteredEvent, ProcessedRecord } from '../processed-record.ts'

type Filters = ReadonlyMap<string, readonly FilterSetting[]>
type Decision = { kind: 'keep'; weight: number } | { kind: 'drop'; rule: string }

/**
 * Uses the settings that were in force when the record was received, so a repeat of the batch drops the same events. That works
 * because settings are never changed, only added, and take effect a few seconds after they are written.
 */
export function applyFilters(record: BatchRecord, filters: Filters): BatchRecord {
  const noisy = record.processed.groupedEvents.filter(({ noise }) => noise.length > 0)
  if (noisy.length === 0) return record
  const unwanted = new Map<string, string>()
  const weights = new Map<string, number>()
  for (const grouped of noisy) {
    const decision = decide(grouped, filters, record.receivedAt)
    if (decision.kind === 'drop') unwanted.set(grouped.eventId, decision.rule)
    else if (decision.weight > 1) weights.set(grouped.eventId, decision.weight)
  }
  const filtered = [...record.processed.filtered, ...filteredEventsOf(record.processed, unwanted)]
  const rest = dropEvents(record, unwanted)
  return { ...rest, processed: { ...setWeights(rest.processed, weights), filtered } }
}

function decide({ noise, projectId, eventId }: GroupedEvent, filters: Filters, at: number): Decision {
  let weight = 1
  for (const rule of noise) {
    const setting = filters.get(filterKey(projectId, rule))?.find(({ since }) => since <= at)
    const mode = setting?.mode ?? noiseRules.find(({ id }) => id === rule)?.byDefault ?? 'off'
    if (mode === 'on') return { kind: 'drop', rule }
    if (mode === 'off') continue
    const oneIn = Math.max(2, setting?.keep_one_in ?? 10)
    if (!isSampled(eventId, oneIn)) return { kind: 'drop', rule }
    weight = Math.max(weight, oneIn)
  }
  return { kind: 'keep', weight }
}

/** By the event's id, which is random: the decision is the same on every repeat and every node. */
const isSampled = (eventId: string, oneIn: number): boolean => Number.parseInt(eventId.slice(-8), 16) % oneIn === 0

function setWeights(processed: ProcessedRecord, weights: ReadonlyMap<string, number>): ProcessedRecord {
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

function filteredEventsOf({ rows }: ProcessedRecord, unwanted: ReadonlyMap<string, string>): FilteredEvent[] {
  return (rows.events ?? []).flatMap(row => {
    const rule = unwanted.get(row.event_id)
    if (rule === undefined) return []
    const browser = `${row.browser_name} ${row.browser_version}`.trim()
    const { title, route, release } = row
    const from = { projectId: row.project_id, eventId: row.event_id, at: row.timestamp }
    return [{ ...from, rule, title, route: route || row.route_raw, release, browser }]
  })
}

/** Removes events and their attachments from a record, and counts them as filtered. `unwanted`: the reason by event id. */
export function dropEvents(record: BatchRecord, unwanted: ReadonlyMap<string, string>): BatchRecord {
  if (unwanted.size === 0) return record
  const { processed, receivedAt } = record
  const isKept = ({ event_id }: { event_id: string }): boolean => !unwanted.has(event_id)
  const { events = [], attachments = [], feedback = [] } = processed.rows
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
  const categoryOf = (id: string): string => (feedback.some(row => row.feedback_id === id) ? 'feedback' : 'error')
  const rest: ProcessedRecord = {
    ...processed,
    rows: {
      ...processed.rows,
      events: events.filter(isKept),
      attachments: attachments.filter(isKept),
      feedback: feedback.filter(row => !unwanted.has(row.feedback_id)),
    },
    groupedEvents: processed.groupedEvents.filter(grouped => !unwanted.has(grouped.eventId)),
    blobs: processed.blobs.filter(blob => !blobs.has(blob.key)),
    outcomes: [
      ...processed.outcomes,
      ...Array.from(unwanted, ([id, reason]) => outcome(categoryOf(id), reason)),
      ...files.map(file => outcome('attachment', unwanted.get(file.event_id) ?? '')),
    ],
  }
  return { ...record, processed: rest }
}

type FilterSetting = ControlSchema['project_filter']

/** All settings, past and present, of the projects that have noise in this batch: by project and rule, newest first. */
export async function findFilters(
  control: Control,
  records: readonly BatchRecord[],
): Promise<Map<string, FilterSetting[]>> {
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
