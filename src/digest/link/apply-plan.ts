/** Carries out what was planned for the events of a batch. Pure. */

import type { HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import type { BatchRecord } from '../prepare-batch.ts'
import type { ProcessedRecord } from '../processed-record.ts'
import { type BatchPlan, isPlain, type JoinTarget, type LinkedEvent } from './batch-plan.ts'

/** `waiting` are the events that wait; those that the plan releases come after the batch's own. */
export function applyPlan(
  records: readonly BatchRecord[],
  plan: BatchPlan,
  waiting: readonly HeldEvent[],
): BatchRecord[] {
  if (isPlain(plan)) return [...records]
  const held = new Set(plan.held)
  const own = records.map(each => ({ ...each, processed: settle(each.processed, plan, held) }))
  const released = waiting
    .filter(({ row }) => plan.released.includes(row.event_id))
    .map(event => ({ processed: processedOf(joinEvent(event, plan)), spool: null, receivedAt: plan.at }))
  return [...own, ...released]
}

function settle(processed: ProcessedRecord, plan: BatchPlan, held: ReadonlySet<string>): ProcessedRecord {
  const ids = processed.groupedEvents.map(({ eventId }) => eventId)
  if (!ids.some(id => held.has(id) || plan.joined[id] !== undefined)) return processed
  const events = (processed.rows.events ?? []).flatMap(row => {
    const grouped = processed.groupedEvents.find(({ eventId }) => eventId === row.event_id)
    return grouped === undefined ? [] : [joinEvent({ row, grouped }, plan)]
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

/** The browser's event keeps its own words; its group is the server's, and so is what a new issue would be called. */
function joinEvent(event: HeldEvent, { joined, linked }: BatchPlan): HeldEvent {
  const target: JoinTarget | undefined = joined[event.row.event_id]
  if (target === undefined) return event
  const link: LinkedEvent | undefined = linked[event.row.event_id]
  const { row, grouped } = link === undefined ? event : linkEvent(event, link)
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
 * One failure: the server's event counts, this one weighs nothing. And one user: whoever is named by more than an address, and where
 * both sides only know an address, the browser's, which is the visitor's own.
 */
function linkEvent({ row, grouped }: HeldEvent, { userHash, isUserInferred }: LinkedEvent): HeldEvent {
  const unweighed = { row: { ...row, weight: 0 }, grouped: { ...grouped, weight: 0 } }
  if (row.user_hash === '0' || userHash === '0' || userHash === row.user_hash) return unweighed
  if (isUserInferred) return { ...unweighed, row: { ...unweighed.row, replaced_user_hash: userHash } }
  return { row: { ...unweighed.row, user_hash: userHash }, grouped: { ...unweighed.grouped, userHash } }
}

const processedOf = ({ row, grouped }: HeldEvent): ProcessedRecord => ({
  projectId: row.project_id,
  items: new Map(),
  dedupeId: null,
  rows: { events: [row] },
  groupedEvents: [grouped],
  monitors: [],
  blobs: [],
  outcomes: [],
  filtered: [],
  held: [],
  faults: [],
  stacks: [],
  unmapped: [],
  usedBundleIds: [],
})
