/** Looks for maps that came late, every few seconds, on digest's own thread. */
import type { Logger } from 'pino'
import { z } from 'zod'
import { groupEvent } from '#grouping/group-event.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { findMaps } from '#symbolication/find-maps.ts'
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'
import { applyFrameResults, minifiedFrames, resolveFrames } from '#symbolication/symbolicate-events.ts'
import { findLateHashes, type LateHash, maxLateHashes, mergeHash, type Since } from './merge-hash.ts'

const everyMs = 10_000
/** A batch is committed seconds after its maps were looked up; an upload may fall in between. */
const overlapMs = 5 * 60_000
/** What waited this long waits for maps that nobody has. */
const forgetAfterMs = 30 * 24 * 3_600_000

export function watchLateSourceMaps(stores: LateMapStores, log: Logger): { stop(): Promise<void> } {
  let isStopping = false
  let knownBundle = 0
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    const { db } = stores.control
    const newest = await db
      .selectFrom('artifact_bundle')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst()
    const bundleId = Number(newest?.id ?? 0)
    if (bundleId === 0) return
    const now = Date.now()
    const { joined, isComplete } = await regroupLateEvents(
      stores,
      { bundleId: knownBundle, seenAt: now - overlapMs },
      now,
    )
    if (isComplete) knownBundle = bundleId
    if (joined > 0) log.info({ hashes: joined }, 'source maps came late; hashes joined their issues')
    await db
      .deleteFrom('unmapped_hash')
      .where('seen_at', '<', now - forgetAfterMs)
      .execute()
  }

  function next(): void {
    if (isStopping) return
    timer = setTimeout(() => {
      round = look()
        .catch(error => log.warn({ error: String(error) }, 'late source maps could not be looked at; trying again'))
        .then(next)
    }, everyMs)
    timer.unref()
  }
  next()
  return {
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await round
    },
  }
}

/* Maps that come after their errors: one stored event of each hash that waits for them is looked at again. */

type LateMapStores = { control: Control; telemetry: Telemetry; symbolicator: Symbolicator }

type LateRound = {
  /** Hashes that joined an issue. */
  joined: number
  /** False when there was more to do than one round takes. */
  isComplete: boolean
}

/** Repeating it changes nothing: what is done is not late any more. */
export async function regroupLateEvents(stores: LateMapStores, since: Since, at: number): Promise<LateRound> {
  const found = await findLateHashes(stores.control.db, since)
  // One sample of a hash decides, however many builds it was seen in.
  const late = new Map(found.map(each => [keyOf(each), each]))
  let joined = 0
  for (const each of late.values()) if (await lookAgain(stores, each, at)) joined += 1
  return { joined, isComplete: found.length < maxLateHashes }
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
  const results = await resolveFrames(symbolicator, frames, maps)
  if (!applyFrameResults(event, results)) return giveUp(control, late)
  return (await mergeHash(control, late, groupEvent(event), at)) !== 'left'
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

const row = z.object({ data: z.string() })

/** The stored event that stands for a hash; null when it is not kept any more. */
async function readSample(telemetry: Telemetry, late: LateHash): Promise<StoredEvent | null> {
  const [found] = await telemetry.query({
    query: `SELECT data FROM events
      WHERE project_id = {projectId:UInt64} AND group_hash = {hash:String} AND event_id = toUUID({eventId:String})
      LIMIT 1`,
    params: {
      projectId: late.project_id,
      hash: late.group_hash,
      eventId: late.event_id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    },
    schema: row,
  })
  // Written by digest, in the shape that it gives every event.
  return found === undefined ? null : (JSON.parse(found.data) as StoredEvent)
}
