/**
 * A server often knows only the IP address of a user, while the browser of the same failure knows the user's id. A user sketch
 * cannot remove a user, so an address is deferred: it is counted only when no browser has reported the same failure in time.
 */

import type { Transaction } from 'kysely'
import { addPeriods } from '#domain/issues/counters/count-periods.ts'
import { dayOf, hashKey, hourOf, sketchUsers } from '#domain/issues/counters/counted-event.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { Control, ControlDialect } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type EventRow, noId } from '#store/telemetry/rows.ts'
import type { PreparedBatch } from '../prepared-batch.ts'
import { isServerError, isUserInferred } from './find-server-errors.ts'
import { holdMs } from './held-events.ts'

type Trx = Transaction<ControlSchema>
type DeferredUser = {
  projectId: number
  eventId: string
  groupVersion: number
  groupHash: string
  seenAt: number
  userHash: string
}

/** Users that one batch counts: after an outage, a commit must not take minutes. */
const maxDue = 2_000

type UsersOfBatch = {
  /** Events whose users this batch does not count. */
  isDeferred: ReadonlySet<string>
  /** Users that are counted later, unless a browser's event replaces them. */
  deferred: readonly DeferredUser[]
  /** Server events whose user a browser's event of this batch replaces. */
  replaced: ReadonlySet<string>
}

export function deferUsers({ rows, groupedEvents, plan }: PreparedBatch): UsersOfBatch {
  const replaced = new Set(
    rows.events.filter(row => row.replaced_user_hash !== '0').flatMap(row => plan.linked[row.event_id]?.eventId ?? []),
  )
  // A sampled event of deploy skew represents many others, and their users are counted in full.
  const skewed = new Set(groupedEvents.filter(({ isSkew }) => isSkew).map(({ eventId }) => eventId))
  const inferred = rows.events.filter(row => mayBeLinked(row) && !skewed.has(row.event_id))
  const isDeferred = new Set([...inferred.map(row => row.event_id), ...replaced])
  const deferred = inferred.filter(row => !replaced.has(row.event_id)).map(deferredOf)
  return { isDeferred, deferred, replaced }
}

export const withoutUsers = <Each extends { eventId: string; userHash: string }>(
  events: readonly Each[],
  { isDeferred }: UsersOfBatch,
): Each[] => events.map(event => (isDeferred.has(event.eventId) ? { ...event, userHash: '0' } : event))

/** Thrown while a framework rendered a page or ran an action: only then can a browser report the same failure. */
const mayBeLinked = (row: EventRow): boolean =>
  isServerError(row) && row.mechanism.startsWith('auto.function.') && row.trace_id !== noId && isUserInferred(row)

const deferredOf = (row: EventRow): DeferredUser => ({
  projectId: row.project_id,
  eventId: row.event_id,
  groupVersion: row.group_version,
  groupHash: row.group_hash,
  seenAt: row.timestamp,
  userHash: row.user_hash,
})

export async function hasDueUsers(control: Control, inboxId: string, now: number): Promise<boolean> {
  const due = control.db.selectFrom('deferred_user').select('event_id').where('inbox_id', '=', inboxId)
  return (await due.where('due_at', '<=', now).limit(1).executeTakeFirst()) !== undefined
}

/** Stores the deferred users of a batch, deletes the replaced ones, and counts those that are due. */
export async function settleUsers(
  trx: Trx,
  dialect: ControlDialect,
  inboxId: string,
  { deferred, replaced }: UsersOfBatch,
  at: number,
): Promise<void> {
  await insertDeferred(trx, inboxId, deferred, at + holdMs)
  const ids = [...replaced]
  // Not by inbox: the server's event may have come through another node.
  for (const chunk of chunksOf(ids)) await trx.deleteFrom('deferred_user').where('event_id', 'in', chunk).execute()
  const due = await trx
    .selectFrom('deferred_user')
    .selectAll()
    .where('inbox_id', '=', inboxId)
    .where('due_at', '<=', at)
    .orderBy('due_at')
    .limit(maxDue)
    .execute()
  await countDue(trx, dialect, due)
  for (const chunk of chunksOf(due))
    await trx
      .deleteFrom('deferred_user')
      .where('inbox_id', '=', inboxId)
      .where(
        'event_id',
        'in',
        chunk.map(row => row.event_id),
      )
      .execute()
}

async function insertDeferred(
  trx: Trx,
  inboxId: string,
  deferred: readonly DeferredUser[],
  dueAt: number,
): Promise<void> {
  for (const chunk of chunksOf(deferred))
    await trx
      .insertInto('deferred_user')
      .values(
        chunk.map(each => ({
          inbox_id: inboxId,
          event_id: each.eventId,
          project_id: each.projectId,
          group_version: each.groupVersion,
          group_hash: each.groupHash,
          seen_at: each.seenAt,
          user_hash: each.userHash,
          due_at: dueAt,
        })),
      )
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

type DueUser = ControlSchema['deferred_user']

/** In the order of their keys, in which all counters are locked. Users of a deleted hash are left out. */
async function countDue(trx: Trx, dialect: ControlDialect, due: readonly DueUser[]): Promise<void> {
  const keyOf = ({ project_id, group_version, group_hash }: DueUser): string =>
    hashKey({ projectId: project_id, groupVersion: group_version, groupHash: group_hash })
  const groups = [...Map.groupBy(due, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1))
  const counted: DueUser[] = []
  for (const [, users] of groups) if (await addToSketch(trx, dialect, users)) counted.push(...users)
  const periodsOf = (periodOf: (timestampMs: number) => number) =>
    [...Map.groupBy(counted, user => `${keyOf(user)}:${periodOf(user.seen_at)}`)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, users]) => {
        const [first] = users
        if (first === undefined) return []
        const { project_id, group_version, group_hash, seen_at } = first
        const period = { project_id, group_version, group_hash, period: periodOf(seen_at), event_count: 0 }
        return [{ ...period, users: new Set(users.map(({ user_hash }) => user_hash)) }]
      })
  await addPeriods(trx, { table: 'hash_hour', column: 'hour' }, periodsOf(hourOf))
  await addPeriods(trx, { table: 'hash_day', column: 'day' }, periodsOf(dayOf))
}

async function addToSketch(trx: Trx, dialect: ControlDialect, users: readonly DueUser[]): Promise<boolean> {
  const [first] = users
  if (first === undefined) return false
  const row = await trx
    .selectFrom('issue_hash')
    .select('user_sketch')
    .where('project_id', '=', first.project_id)
    .where('group_version', '=', first.group_version)
    .where('group_hash', '=', first.group_hash)
    .$if(dialect === 'postgres', query => query.forUpdate())
    .executeTakeFirst()
  if (row === undefined) return false
  await trx
    .updateTable('issue_hash')
    .set(sketchUsers(row.user_sketch, new Set(users.map(({ user_hash }) => user_hash))))
    .where('project_id', '=', first.project_id)
    .where('group_version', '=', first.group_version)
    .where('group_hash', '=', first.group_hash)
    .execute()
  return true
}
