/**
 * Deletes the data of one user from all stores: files first, then the rows that lead to them, events last. Every step can be repeated, and
 * finds its rows by the user again, so after a kill it goes on where it was.
 */
import { z } from 'zod'
import type { ErasureCounts, UserIdentifiers } from '#domain/privacy/erasures.ts'
import { identifierKinds } from '#domain/privacy/erasures.ts'
import { addressSpellings } from '#lib/ip-address.ts'
import { jsonObjectOf, objectOf, textOf } from '#lib/json-value.ts'
import { hashUser } from '#lib/user-hash.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Control } from '#store/control/control.ts'
import { deleteRows } from '#store/telemetry/delete-rows.ts'
import { noId } from '#store/telemetry/rows.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { hasId, type NamedUser, namesUser, type UserTable } from '#store/telemetry/user-rows.ts'

export type EraseStores = { control: Control; telemetry: Telemetry; layout: TableLayout; blobs: Blobs }

/** Saves what a step is about to delete, and then that it has. `first` tells one chunk of a step from the next. */
export type Ledger = {
  begin(step: string, counts: ErasureCounts, first?: string): Promise<void>
  finish(step: string): Promise<void>
}

/** Events, feedback or replays at a time: as many ids stand in one statement. */
const chunkIds = 2_000
const maxFilesPerChunk = 50_000

export function nameUser(user: UserIdentifiers, projectIds: readonly number[], untilMs: number): NamedUser {
  const identifiers = identifierKinds.flatMap(kind => {
    const value = user[kind]
    if (value === undefined) return []
    // Rows from before addresses had one spelling have it as it was sent.
    return (kind === 'ip' ? addressSpellings(value) : [value]).map(spelling => ({ kind, value: spelling }))
  })
  const hashes = projectIds.flatMap(projectId =>
    identifiers.map(({ value }) => ({ projectId, hash: hashUser(projectId, value) })),
  )
  return { projectIds, identifiers, hashes, untilMs }
}

export async function eraseUser(stores: EraseStores, user: NamedUser, ledger: Ledger): Promise<void> {
  if (user.projectIds.length === 0) return
  await eraseReplays(stores, user, ledger)
  await eraseWithFiles(stores, user, ledger, 'feedback', 'feedback_id')
  await eraseWithFiles(stores, user, ledger, 'events', 'event_id')
  for (const table of ['event_index', 'spans', 'logs', 'metrics', 'sessions'] as const)
    await eraseTable(stores, user, ledger, table)
  await eraseControlRows(stores, user, ledger)
}

async function eraseTable(stores: EraseStores, user: NamedUser, ledger: Ledger, table: UserTable): Promise<void> {
  const where = namesUser(table, user)
  const rows = await countRows(stores, table, where)
  await ledger.begin(table, { [table]: rows })
  if (rows > 0) await deleteRows(stores.telemetry, stores.layout, table, where)
  await ledger.finish(table)
}

/** Events or feedback, with their attachments and the index. */
async function eraseWithFiles(
  stores: EraseStores,
  user: NamedUser,
  ledger: Ledger,
  table: 'events' | 'feedback',
  column: 'event_id' | 'feedback_id',
): Promise<void> {
  const { telemetry, layout } = stores
  for (;;) {
    const ids = await listIds(stores, table, column, namesUser(table, user))
    const found = hasId('event_id', user.projectIds, ids)
    if (table === 'events')
      await eraseRecordings(stores, user, ledger, await listIds(stores, 'events', 'replay_id', found))
    const files = await listFiles(stores, 'attachments', 'blob', found)
    const counts: ErasureCounts = { [table]: await countRows(stores, table, hasId(column, user.projectIds, ids)) }
    counts.attachments = await countRows(stores, 'attachments', found)
    counts['attachment files'] = files.length
    if (table === 'events') counts.event_index = await countRows(stores, 'event_index', found)
    await ledger.begin(table, counts, ids[0])
    for (const key of files) await stores.blobs.remove(key)
    if (counts.attachments > 0) await deleteRows(telemetry, layout, 'attachments', found)
    if ((counts.event_index ?? 0) > 0) await deleteRows(telemetry, layout, 'event_index', found)
    if (ids.length > 0) await deleteRows(telemetry, layout, table, hasId(column, user.projectIds, ids))
    await ledger.finish(table)
    if (ids.length < chunkIds) return
  }
}

async function eraseReplays(stores: EraseStores, user: NamedUser, ledger: Ledger): Promise<void> {
  for (;;) {
    const ids = await listIds(stores, 'replays', 'replay_id', namesUser('replays', user))
    await eraseRecordings(stores, user, ledger, ids)
    if (ids.length < chunkIds) return
  }
}

/** All segments of these replays: a recording shows one person, even if only some of its segments name them. */
async function eraseRecordings(
  stores: EraseStores,
  user: NamedUser,
  ledger: Ledger,
  ids: readonly string[],
): Promise<void> {
  const where = hasId('replay_id', user.projectIds, ids)
  const files = await listFiles(stores, 'replays', 'recording_blob', where)
  const rows = await countRows(stores, 'replays', where)
  const moments = await countRows(stores, 'replay_moments', where)
  await ledger.begin('replays', { replays: rows, replay_moments: moments, 'replay files': files.length }, ids[0])
  for (const key of files) await stores.blobs.remove(key)
  if (moments > 0) await deleteRows(stores.telemetry, stores.layout, 'replay_moments', where)
  if (rows > 0) await deleteRows(stores.telemetry, stores.layout, 'replays', where)
  await ledger.finish('replays')
}

/** Events that wait for their server error, and users that wait to be counted. */
async function eraseControlRows({ control: { db } }: EraseStores, user: NamedUser, ledger: Ledger): Promise<void> {
  const held = await db
    .selectFrom('held_event')
    .select(['inbox_id', 'event_id', 'event'])
    .where('project_id', 'in', user.projectIds)
    .execute()
  const own = held.filter(({ event }) => isOf(event, user))
  const deferred = await listDeferred(db, user)
  await ledger.begin('control', { 'held events': own.length, 'deferred users': deferred.length })
  for (const { inbox_id, event_id } of own)
    await db.deleteFrom('held_event').where('inbox_id', '=', inbox_id).where('event_id', '=', event_id).execute()
  for (const { inbox_id, event_id } of deferred)
    await db.deleteFrom('deferred_user').where('inbox_id', '=', inbox_id).where('event_id', '=', event_id).execute()
  await ledger.finish('control')
}

const listDeferred = (db: Control['db'], { hashes }: NamedUser) =>
  db
    .selectFrom('deferred_user')
    .select(['inbox_id', 'event_id'])
    .where(({ or, and, eb }) =>
      or(hashes.map(({ projectId, hash }) => and([eb('project_id', '=', projectId), eb('user_hash', '=', hash)]))),
    )
    .execute()

const rowFields = { id: 'user_id', email: 'user_email', username: 'user_name', ip: 'user_ip' } as const

function isOf(event: string, { identifiers, hashes }: NamedUser): boolean {
  const row = objectOf(jsonObjectOf(event).row) ?? {}
  return (
    identifiers.some(({ kind, value }) => textOf(row[rowFields[kind]]).toLowerCase() === value.toLowerCase()) ||
    hashes.some(({ projectId, hash }) => row.project_id === projectId && textOf(row.user_hash) === hash)
  )
}

async function countRows(
  { telemetry }: EraseStores,
  table: UserTable | 'attachments' | 'replay_moments',
  where: string,
): Promise<number> {
  if (where === '0') return 0
  const [row] = await telemetry.query({
    query: `SELECT count() AS rows FROM ${table} WHERE ${where} LIMIT 1`,
    schema: z.object({ rows: z.coerce.number() }),
    settings: patient,
  })
  return row?.rows ?? 0
}

async function listIds({ telemetry }: EraseStores, table: UserTable, column: string, where: string): Promise<string[]> {
  if (where === '0') return []
  const rows = await telemetry.query({
    query: `SELECT DISTINCT toString(${column}) AS id FROM ${table} WHERE ${where} AND ${column} != '${noUuid}' ORDER BY id LIMIT ${chunkIds}`,
    schema: z.object({ id: z.string() }),
    settings: patient,
  })
  return rows.map(({ id }) => id)
}

async function listFiles(
  { telemetry }: EraseStores,
  table: 'attachments' | 'replays',
  column: 'blob' | 'recording_blob',
  where: string,
): Promise<string[]> {
  if (where === '0') return []
  const rows = await telemetry.query({
    query: `SELECT DISTINCT ${column} AS key FROM ${table} WHERE ${where} AND ${column} != '' ORDER BY key LIMIT ${maxFilesPerChunk}`,
    schema: z.object({ key: z.string() }),
    settings: patient,
  })
  return rows.map(({ key }) => key)
}

const noUuid = noId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** JSON of every event is read; nobody waits for the answer. */
const patient = { max_execution_time: 300 }

/** What would be deleted now, by store. */
export async function countUserData(stores: EraseStores, user: NamedUser): Promise<ErasureCounts> {
  const counts: ErasureCounts = {}
  if (user.projectIds.length === 0) return counts
  for (const table of ['events', 'spans', 'logs', 'metrics', 'sessions', 'feedback', 'replays'] as const) {
    const rows = await countRows(stores, table, namesUser(table, user))
    if (rows > 0) counts[table] = rows
  }
  return counts
}
