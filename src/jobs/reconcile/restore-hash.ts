/** Restores a hash that the control database has lost, and its issue, from stored events. */

import type { Transaction } from 'kysely'
import { z } from 'zod'
import { seenEventsForMs } from '#domain/events/seen-event-ids.ts'
import { appendChanges } from '#domain/issues/change-log/append-changes.ts'
import { addHash } from '#domain/issues/counters/count-events.ts'
import { cleanRelease, type EventGroup } from '#domain/issues/counters/counted-event.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import { setInitialState } from '#domain/issues/lifecycle/update-lifecycle.ts'
import { groupEvent } from '#grouping/group-event.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { sideOf } from '#react/side.ts'
import type { Control, ControlDialect } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { backgroundSettings, type CommittedRows, since, withinDay } from './reconcile-index.ts'

type Hash = { projectId: number; groupVersion: number; groupHash: string }
export type LostHash = { group: EventGroup; isUnhandled: boolean; receivedAt: number }

/** The order of events for the title of the issue: earliest first, but browser reports of a server error (weight 0) last. */
const titleOrder = '(weight = 0, timestamp, event_id)'

const row = z.object({
  eventCount: z.coerce.number(),
  firstSeen: z.coerce.number(),
  lastSeen: z.coerce.number(),
  receivedAt: z.coerce.number(),
  firstRelease: z.string(),
  lastRelease: z.string(),
  lastEventId: z.string(),
  title: z.string(),
  culprit: z.string(),
  kind: z.string(),
  level: z.string(),
  data: z.string(),
  isUnhandled: z.coerce.number(),
  users: z.array(z.string()),
  replaced: z.array(z.string()),
})

export async function findLostHash(
  telemetry: Telemetry,
  { projectId, groupVersion, groupHash }: Hash,
  keptSince: number,
  { condition, params }: CommittedRows,
): Promise<LostHash | null> {
  const [found] = await telemetry.query({
    query: `SELECT toUInt64(round(sum(weight))) AS eventCount, toUnixTimestamp64Milli(min(timestamp)) AS firstSeen,
              toUnixTimestamp64Milli(max(timestamp)) AS lastSeen, toUnixTimestamp64Milli(min(received_at)) AS receivedAt,
              argMin(release, timestamp) AS firstRelease, argMax(release, timestamp) AS lastRelease,
              replaceAll(toString(argMax(event_id, timestamp)), '-', '') AS lastEventId,
              argMin(title, ${titleOrder}) AS title, argMin(culprit, ${titleOrder}) AS culprit, argMin(kind, ${titleOrder}) AS kind,
              argMin(level, ${titleOrder}) AS level, argMin(data, ${titleOrder}) AS data, toUInt8(min(is_handled) = 0) AS isUnhandled,
              groupUniqArray(toString(user_hash)) AS users, groupUniqArray(toString(replaced_user_hash)) AS replaced
            FROM events WHERE project_id = {projectId:UInt64} AND group_version = {groupVersion:UInt8}
              AND group_hash = {groupHash:String} AND ${since(keptSince)} AND ${condition} LIMIT 1`,
    params: { ...params, projectId, groupVersion, groupHash },
    schema: row,
    settings: backgroundSettings,
  })
  if (found === undefined || found.firstSeen === 0) return null
  const replaced = new Set(found.replaced)
  const common = {
    projectId,
    groupVersion,
    groupHash,
    ...readEventData(found.data),
    title: found.title.replaceAll('\0', ''),
    culprit: found.culprit.replaceAll('\0', ''),
    kind: found.kind,
    level: found.level,
    userHash: '0',
    weight: 0,
    noise: [],
    isSkew: false,
    serverError: null,
    eventId: found.lastEventId,
  }
  const first: GroupedEvent = { ...common, timestamp: found.firstSeen, release: cleanRelease(found.firstRelease) }
  const last: GroupedEvent = { ...common, timestamp: found.lastSeen, release: cleanRelease(found.lastRelease) }
  return {
    group: {
      first,
      last,
      count: found.eventCount,
      users: new Set(found.users.filter(user => user !== '0' && !replaced.has(user))),
      fallbacks: new Map(first.groupFallbacks.map(each => [`${each.version}:${each.hash}`, each])),
    },
    isUnhandled: found.isUnhandled === 1,
    receivedAt: found.receivedAt,
  }
}

/** Reads the event's JSON that digest has stored. */
function readEventData(data: string): Pick<GroupedEvent, 'side' | 'groupFallbacks'> {
  const event = JSON.parse(data) as StoredEvent
  return { side: sideOf(event), groupFallbacks: groupEvent(event).fallbacks }
}

export async function restoreHash(
  trx: Transaction<ControlSchema>,
  dialect: ControlDialect,
  { group, isUnhandled, receivedAt }: LostHash,
): Promise<void> {
  const { issueId, change } = await addHash(trx, dialect, group, receivedAt)
  if (change !== null) await appendChanges(trx, [change])
  const issues = await trx
    .selectFrom('issue')
    .select(['id', 'project_id', 'level', 'is_unhandled', 'substatus_at'])
    .where('id', '=', issueId)
    .execute()
  await setInitialState(
    trx,
    issues.map(issue => ({ ...issue, newEvents: [{ isUnhandled }] })),
    receivedAt,
  )
  await trx
    .updateTable('project')
    .set({ first_event_at: receivedAt })
    .where('id', '=', group.first.projectId)
    .where('first_event_at', 'is', null)
    .execute()
  const versions = new Set([group.first.release, group.last.release].filter(version => version !== ''))
  for (const version of versions)
    await trx
      .insertInto('project_release')
      .values({ project_id: group.first.projectId, version, first_seen: receivedAt })
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

const maxIds = 500_000

/** Restores event ids that a restored control database lacks. Without them an event sent again would be counted twice (0007). */
export async function restoreSeenIds(
  { db }: Control,
  telemetry: Telemetry,
  projectId: number,
  { day, nowMs }: { day: number; nowMs: number },
): Promise<void> {
  const rows = await telemetry.query({
    query: `SELECT replaceAll(toString(event_id), '-', '') AS event_id, toUnixTimestamp64Milli(received_at) AS seen_at FROM events
            WHERE project_id = {projectId:UInt64} AND ${withinDay(day)} AND received_at > fromUnixTimestamp64Milli({since:Int64})
            LIMIT ${maxIds}`,
    params: { projectId, since: nowMs - seenEventsForMs },
    schema: z.object({ event_id: z.string(), seen_at: z.coerce.number() }),
    settings: backgroundSettings,
  })
  for (const chunk of chunksOf(rows))
    await db
      .insertInto('seen_event')
      .values(chunk.map(row => ({ project_id: projectId, ...row })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
}
