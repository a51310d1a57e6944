/** Maps that come after their errors: one stored event of each hash that waits for them is looked at again. */
import { groupEvent } from '#group/group-event.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { minifiedFrames } from '#symbolicate/event/minified-frames.ts'
import { applyFates, traceFrames } from '#symbolicate/event/symbolicate-events.ts'
import { findMaps } from '#symbolicate/lookup/find-maps.ts'
import type { Symbolicator } from '#symbolicate/symbolicator.ts'
import { findLate, type LateHash, mostLate, type Since } from './find-late.ts'
import { joinHash } from './join-hash.ts'
import { readSample } from './read-sample.ts'

export type LateMapStores = { control: Control; telemetry: Telemetry; symbolicator: Symbolicator }

export type LateRound = {
  /** Hashes that joined an issue. */
  joined: number
  /** False when there was more to do than one round takes. */
  isComplete: boolean
}

/** Repeating it changes nothing: what is done is not late any more. */
export async function joinLateMaps(stores: LateMapStores, since: Since, at: number): Promise<LateRound> {
  const found = await findLate(stores.control.db, since)
  // One sample of a hash decides, however many builds it was seen in.
  const late = new Map(found.map(each => [keyOf(each), each]))
  let joined = 0
  for (const each of late.values()) if (await lookAgain(stores, each, at)) joined += 1
  return { joined, isComplete: found.length < mostLate }
}

const keyOf = ({ project_id, group_version, group_hash }: LateHash): string =>
  `${project_id}:${group_version}:${group_hash}`

async function lookAgain(
  { control, telemetry, symbolicator }: LateMapStores,
  late: LateHash,
  at: number,
): Promise<boolean> {
  const event = await readSample(telemetry, late)
  if (event === null) return giveUp(control, late)
  const frames = minifiedFrames(event, late.project_id)
  const maps = await findMaps(
    control.db,
    frames.map(({ wanted }) => wanted),
  )
  const fates = await traceFrames(symbolicator, frames, maps)
  if (!applyFates(event, fates)) return giveUp(control, late)
  return (await joinHash(control, late, groupEvent(event), at)) !== 'left'
}

/** Until an upload comes that is newer than this one. */
async function giveUp({ db }: Control, late: LateHash): Promise<false> {
  await db
    .updateTable('unmapped_hash')
    .set({ tried_bundle_id: late.bundle_id })
    .where('project_id', '=', late.project_id)
    .where('group_version', '=', late.group_version)
    .where('group_hash', '=', late.group_hash)
    .execute()
  return false
}
