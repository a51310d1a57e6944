/** Carries out what was planned for the events of a batch. Pure. */

import type { HeldEvent } from '#domain/issues/grouped-event.ts'
import type { Understood } from '../prepare-batch.ts'
import type { RecordYield } from '../processed-record.ts'
import { type BatchPlan, isPlain, type JoinTarget, type LinkedEvent } from './batch-plan.ts'

/** `waiting` are the events that wait; those that the plan releases come after the batch's own. */
export function applyPlan(
  understood: readonly Understood[],
  plan: BatchPlan,
  waiting: readonly HeldEvent[],
): Understood[] {
  if (isPlain(plan)) return [...understood]
  const held = new Set(plan.held)
  const own = understood.map(each => ({ ...each, yielded: settle(each.yielded, plan, held) }))
  const released = waiting
    .filter(({ row }) => plan.released.includes(row.event_id))
    .map(event => ({ yielded: yieldOf(joinEvent(event, plan)), spool: null, receivedAt: plan.at }))
  return [...own, ...released]
}

function settle(yielded: RecordYield, plan: BatchPlan, held: ReadonlySet<string>): RecordYield {
  const ids = yielded.sightings.map(({ eventId }) => eventId)
  if (!ids.some(id => held.has(id) || plan.joined[id] !== undefined)) return yielded
  const events = (yielded.rows.events ?? []).flatMap(row => {
    const sighting = yielded.sightings.find(({ eventId }) => eventId === row.event_id)
    return sighting === undefined ? [] : [joinEvent({ row, sighting }, plan)]
  })
  const isHeld = ({ row }: HeldEvent): boolean => held.has(row.event_id)
  const kept = events.filter(event => !isHeld(event))
  return {
    ...yielded,
    rows: { ...yielded.rows, events: kept.map(({ row }) => row) },
    sightings: kept.map(({ sighting }) => sighting),
    held: [...yielded.held, ...events.filter(isHeld)],
  }
}

/** The browser's event keeps its own words; its group is the server's, and so is what a new issue would be called. */
function joinEvent(event: HeldEvent, { joined, linked }: BatchPlan): HeldEvent {
  const target: JoinTarget | undefined = joined[event.row.event_id]
  if (target === undefined) return event
  const link: LinkedEvent | undefined = linked[event.row.event_id]
  const { row, sighting } = link === undefined ? event : linkEvent(event, link)
  const { version, hash, title, culprit } = target
  return {
    row: { ...row, group_version: version, group_hash: hash },
    sighting: {
      ...sighting,
      groupVersion: version,
      groupHash: hash,
      groupFallbacks: [],
      title,
      culprit,
      place: 'server',
    },
  }
}

/**
 * One failure: the server's event counts, this one weighs nothing. And one user: whoever is named by more than an address, and where
 * both sides only know an address, the browser's, which is the visitor's own.
 */
function linkEvent({ row, sighting }: HeldEvent, { userHash, isUserInferred }: LinkedEvent): HeldEvent {
  const unweighed = { row: { ...row, weight: 0 }, sighting: { ...sighting, weight: 0 } }
  if (row.user_hash === '0' || userHash === '0' || userHash === row.user_hash) return unweighed
  if (isUserInferred) return { ...unweighed, row: { ...unweighed.row, replaced_user_hash: userHash } }
  return { row: { ...unweighed.row, user_hash: userHash }, sighting: { ...unweighed.sighting, userHash } }
}

const yieldOf = ({ row, sighting }: HeldEvent): RecordYield => ({
  projectId: row.project_id,
  items: new Map(),
  dedupeId: null,
  rows: { events: [row] },
  sightings: [sighting],
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
