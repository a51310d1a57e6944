/** Regroups events whose source maps were uploaded after them. Runs every few seconds on the digest thread. */
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
/** A bundle may be uploaded between the lookup of a batch and its commit, seconds later. */
const overlapMs = 5 * 60_000
/** After this time no source map is expected any more. */
const forgetAfterMs = 30 * 24 * 3_600_000

export function watchLateSourceMaps(stores: LateMapStores, log: Logger): { stop(): Promise<void> } {
  let isStopping = false
  let knownBundle = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function runRound(): Promise<void> {
    const { db } = stores.control
    const newest = await db
      .selectFrom('artifact_bundle')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst()
    const bundleId = Number(newest?.id ?? 0)
    if (bundleId === 0) return
    const now = Date.now()
    const { merged, isComplete } = await regroupLateEvents(
      stores,
      { bundleId: knownBundle, seenAt: now - overlapMs },
      now,
    )
    if (isComplete) knownBundle = bundleId
    if (merged > 0) log.info({ hashes: merged }, 'source maps uploaded late; hashes merged into their issues')
    await db
      .deleteFrom('unmapped_hash')
      .where('seen_at', '<', now - forgetAfterMs)
      .execute()
  }

  function next(): void {
    if (isStopping) return
    timer = setTimeout(() => {
      running = runRound()
        .catch(error => log.warn({ error: String(error) }, 'regrouping with late source maps failed; retrying'))
        .then(next)
    }, everyMs)
    timer.unref()
  }
  next()
  return {
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await running
    },
  }
}

type LateMapStores = { control: Control; telemetry: Telemetry; symbolicator: Symbolicator }

type LateRound = {
  /** Hashes that were merged into an issue. */
  merged: number
  /** False when one round was not enough. */
  isComplete: boolean
}

/** Symbolicates and regroups one stored event of each hash that has its source map by now. Can be repeated safely. */
export async function regroupLateEvents(stores: LateMapStores, since: Since, at: number): Promise<LateRound> {
  const found = await findLateHashes(stores.control.db, since)
  // One sample per hash decides, however many builds have it.
  const late = new Map(found.map(each => [keyOf(each), each]))
  let merged = 0
  for (const each of late.values()) if (await regroupSample(stores, each, at)) merged += 1
  return { merged, isComplete: found.length < maxLateHashes }
}

const keyOf = ({ project_id, group_version, group_hash }: LateHash): string =>
  `${project_id}:${group_version}:${group_hash}`

async function regroupSample(
  { control, telemetry, symbolicator }: LateMapStores,
  late: LateHash,
  at: number,
): Promise<boolean> {
  const event = await readSample(telemetry, late)
  if (event === null) return skipUntilNewerBundle(control, late)
  const frames = minifiedFrames(event, late.project_id)
  const maps = await findMaps(
    control.db,
    frames.map(({ wanted }) => wanted),
  )
  const results = await resolveFrames(symbolicator, frames, maps)
  if (!applyFrameResults(event, results)) return skipUntilNewerBundle(control, late)
  return (await mergeHash(control, late, groupEvent(event), at)) !== 'left'
}

async function skipUntilNewerBundle({ db }: Control, late: LateHash): Promise<false> {
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

/** The sample event of a hash; null when retention has deleted it. */
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
  // Not validated: digest wrote it.
  return found === undefined ? null : (JSON.parse(found.data) as StoredEvent)
}
