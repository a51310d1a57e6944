/** Applies a plan to the events of a batch: holds, releases and links them. Pure. */
import type { HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import type { BatchRecord } from '../process-records.ts'
import { emptyProcessed, type ProcessedRecord } from '../processed-record.ts'
import { type BatchPlan, isNoop, type LinkedEvent, type LinkTarget } from './batch-plan.ts'

/** `stored` are the held events; those that the plan releases come after the batch's own events. */
export function applyPlan(
  records: readonly BatchRecord[],
  plan: BatchPlan,
  stored: readonly HeldEvent[],
): BatchRecord[] {
  if (isNoop(plan)) return [...records]
  const held = new Set(plan.held)
  const own = records.map(each => ({ ...each, processed: applyToRecord(each.processed, plan, held) }))
  const released = stored
    .filter(({ row }) => plan.released.includes(row.event_id))
    .map(event => ({ processed: processedOf(linkGroup(event, plan)), spool: null, receivedAt: plan.at }))
  return [...own, ...released]
}

function applyToRecord(processed: ProcessedRecord, plan: BatchPlan, held: ReadonlySet<string>): ProcessedRecord {
  const ids = processed.groupedEvents.map(({ eventId }) => eventId)
  if (!ids.some(id => held.has(id) || plan.joined[id] !== undefined)) return processed
  const events = (processed.rows.events ?? []).flatMap(row => {
    const grouped = processed.groupedEvents.find(({ eventId }) => eventId === row.event_id)
    return grouped === undefined ? [] : [linkGroup({ row, grouped }, plan)]
  })
  const isHeld = ({ row }: HeldEvent): boolean => held.has(row.event_id)
  const kept = events.filter(event => !isHeld(event))
  return {
    ...processed,
    rows: { ...processed.rows, events: kept.map(({ row }) => row) },
    groupedEvents: kept.map(({ grouped }) => grouped),
    held: [...processed.held, ...events.filter(isHeld)],
  }
}

/** A browser error keeps its own message, but gets the group of the server error, and with it the title of the issue. */
function linkGroup(event: HeldEvent, { joined, linked }: BatchPlan): HeldEvent {
  const target: LinkTarget | undefined = joined[event.row.event_id]
  if (target === undefined) return event
  const link: LinkedEvent | undefined = linked[event.row.event_id]
  const { row, grouped } = link === undefined ? event : linkFailure(event, link)
  const { version, hash, title, culprit } = target
  return {
    row: { ...row, group_version: version, group_hash: hash },
    grouped: {
      ...grouped,
      groupVersion: version,
      groupHash: hash,
      groupFallbacks: [],
      title,
      culprit,
      side: 'server',
    },
  }
}

/**
 * Both events report one failure, so it counts once: the server's event counts, this one has weight 0. The same for the user: an id
 * wins over an IP address, and of two addresses the browser's wins, because it is the user's own.
 */
function linkFailure({ row, grouped }: HeldEvent, { userHash, isUserInferred }: LinkedEvent): HeldEvent {
  const unweighed = { row: { ...row, weight: 0 }, grouped: { ...grouped, weight: 0 } }
  if (row.user_hash === '0' || userHash === '0' || userHash === row.user_hash) return unweighed
  if (isUserInferred) return { ...unweighed, row: { ...unweighed.row, replaced_user_hash: userHash } }
  return { row: { ...unweighed.row, user_hash: userHash }, grouped: { ...unweighed.grouped, userHash } }
}

const processedOf = ({ row, grouped }: HeldEvent): ProcessedRecord => ({
  ...emptyProcessed(row.project_id),
  rows: { events: [row] },
  groupedEvents: [grouped],
})
