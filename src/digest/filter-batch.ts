/** From what was understood to what is written: noise out, browsers' errors to the server's, unwanted kinds out, floods thinned, traces followed. */

import { hashKey } from '#domain/issues/arrival.ts'
import type { Sighting } from '#domain/issues/grouped-event.ts'
import { batchIdOf, endOfSeal, type Seal } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import { findStoredGroups, type StoredGroup } from '#store/telemetry/find-arrived.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { applyFilters, dropEvents, findFilters } from './filter/filters.ts'
import { followTraces } from './follow-traces.ts'
import type { PlanOptions } from './link/make-plan.ts'
import { planBatch } from './link/plan-batch.ts'
import { thinSkew } from './link/sample-skew.ts'
import { assembleBatch, type IsRepeated, type Understood } from './prepare-batch.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import type { RecordYield } from './processed-record.ts'

type Options = {
  control: Control
  telemetry: PlanOptions['telemetry']
  inboxId: string
  seal: Seal
  understood: readonly Understood[]
  /** The batch before, while it is not committed. */
  before: PreparedBatch | null
  mayHaveArrived: boolean
  isRepeated: IsRepeated
}

export async function sortOut(options: Options): Promise<PreparedBatch> {
  const { control, seal, inboxId, mayHaveArrived } = options
  const filters = await findFilters(control, options.understood)
  const wanted = options.understood.map(each => applyFilters(each, filters))
  const repeat = { end: endOfSeal(seal), isRepeat: mayHaveArrived }
  const planned = await planBatch({ ...options, ...repeat, understood: wanted })
  const { plan, understood, discarded, isRepeated } = planned
  const grouped = mayHaveArrived
    ? await keepStoredGroups(options.telemetry, batchIdOf(inboxId, seal), understood)
    : understood
  const kept = grouped.map(each => dropDiscarded(each, discarded))
  const batch = thinSkew(assembleBatch({ seal, inboxId, mayHaveArrived, understood: kept, isRepeated, plan }))
  return followTraces(control, inboxId, batch, options.before)
}

/* Takes the events of kinds that nobody wants out of what a record yielded. */

function dropDiscarded(understood: Understood, discarded: ReadonlySet<string>): Understood {
  if (discarded.size === 0) return understood
  const unwanted = understood.yielded.sightings.filter(sighting => isUnwanted(sighting, discarded))
  return dropEvents(understood, new Map(unwanted.map(({ eventId }) => [eventId, 'discarded'])))
}

/** Also by the name that an older grouping version has for it: what was discarded then stays discarded. */
const isUnwanted = (sighting: Sighting, discarded: ReadonlySet<string>): boolean =>
  discarded.has(hashKey(sighting)) ||
  sighting.groupFallbacks.some(({ version, hash }) =>
    discarded.has(hashKey({ projectId: sighting.projectId, groupVersion: version, groupHash: hash })),
  )

/*
 * A batch that is repeated after an upgrade may be grouped otherwise than when its events were stored. What is stored decides: counters
 * and issues must name the groups that the rows have. Only a repeat asks for it, so other batches pay nothing.
 */

async function keepStoredGroups(
  telemetry: Pick<Telemetry, 'query'>,
  batchId: string,
  understood: readonly Understood[],
): Promise<Understood[]> {
  const rows = understood.flatMap(({ yielded }) => yielded.rows.events ?? [])
  if (rows.length === 0) return [...understood]
  const stored = new Map<string, StoredGroup>()
  for (const group of await findStoredGroups(telemetry, { rows, batchId }))
    stored.set(`${group.projectId}:${group.eventId}`, group)
  if (stored.size === 0) return [...understood]
  return understood.map(each => ({ ...each, yielded: withStored(each.yielded, stored) }))
}

function withStored(yielded: RecordYield, stored: ReadonlyMap<string, StoredGroup>): RecordYield {
  const { projectId, rows, sightings, unmapped } = yielded
  /** Null where nothing is stored, or nothing else. */
  const otherThan = (eventId: string, version: number, hash: string): StoredGroup | null => {
    const group = stored.get(`${projectId}:${eventId}`)
    return group === undefined || (group.version === version && group.hash === hash) ? null : group
  }
  if (sightings.every(one => otherThan(one.eventId, one.groupVersion, one.groupHash) === null)) return yielded
  return {
    ...yielded,
    rows: {
      ...rows,
      events: (rows.events ?? []).map(row => {
        const group = otherThan(row.event_id, row.group_version, row.group_hash)
        return group === null ? row : { ...row, group_version: group.version, group_hash: group.hash }
      }),
    },
    sightings: sightings.map(one => {
      const { eventId, groupVersion: version, groupHash: hash, groupFallbacks } = one
      const group = otherThan(eventId, version, hash)
      if (group === null) return one
      // Where the stored group is new, what it is called now leads to the issue that exists already.
      const fallbacks = [{ version, hash }, ...groupFallbacks].filter(key => key.hash !== group.hash)
      return { ...one, groupVersion: group.version, groupHash: group.hash, groupFallbacks: fallbacks }
    }),
    unmapped: unmapped.map(one => {
      const group = otherThan(one.eventId, one.groupVersion, one.groupHash)
      return group === null ? one : { ...one, groupVersion: group.version, groupHash: group.hash }
    }),
  }
}
