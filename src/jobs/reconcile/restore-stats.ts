/** Restores what the control database knows of a project as a whole, when it was lost or came back from a backup. */
import { type Kysely, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { type SentKind, sentBits } from '#domain/events/sent-kinds.ts'
import { dayOf } from '#domain/issues/counters/counted-event.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { backgroundSettings, type CommittedRows, since } from './reconcile-index.ts'

type Options = { control: Control; telemetry: Telemetry }
type At = { keptSince: number; nowMs: number; committed: CommittedRows }

/** The projects of which nothing is known, or all of them: those of a restored database are known as they were. */
export async function listProjectsWithoutStats({ db }: Control, isBehind: boolean): Promise<number[]> {
  const rows = await db
    .selectFrom('project')
    .leftJoin('project_stats', 'project_stats.project_id', 'project.id')
    .select('project.id')
    .$if(!isBehind, query => query.where('project_stats.project_id', 'is', null))
    .orderBy('project.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Last arrival, newest event, kinds of rows and the count of events. Keeps values that digest has written since. */
export async function restoreProjectStats({ control, telemetry }: Options, projectId: number, at: At): Promise<void> {
  const updatedAt = await readLastArrival(telemetry, projectId, at)
  if (updatedAt === 0) return
  const sent: SentKind[] = []
  for (const kind of ['spans', 'logs', 'attachments'] as const)
    if (await hasRows(telemetry, kind, projectId)) sent.push(kind)
  const newest = await readNewestEvent(telemetry, projectId, at)
  await control.db.transaction().execute(async trx => {
    const events = await countEvents(trx, projectId)
    const issueId = newest ? await findIssueId(trx, { projectId, ...newest }) : null
    const lastEvent = newest && issueId !== null ? { last_event_id: newest.eventId, last_issue_id: issueId } : null
    const bits = sentBits(sent)
    await trx
      .insertInto('project_stats')
      .values({
        project_id: projectId,
        item_count: events,
        event_count: events,
        last_event_id: '',
        last_issue_id: 0,
        ...lastEvent,
        updated_at: updatedAt,
        sent_kinds: bits,
      })
      .onConflict(conflict =>
        conflict.column('project_id').doUpdateSet(({ eb, ref }) => {
          const isOlder = eb('project_stats.updated_at', '<', updatedAt)
          const newer = <Value>(column: 'updated_at' | 'last_event_id' | 'last_issue_id', value: Value) =>
            sql<Value>`case when ${isOlder} then ${value} else ${ref(`project_stats.${column}`)} end`
          const atLeast = (column: 'item_count' | 'event_count') =>
            sql<number>`case when ${ref(`project_stats.${column}`)} < ${events} then ${events} else ${ref(`project_stats.${column}`)} end`
          return {
            item_count: atLeast('item_count'),
            event_count: atLeast('event_count'),
            sent_kinds: eb('project_stats.sent_kinds', '|', bits),
            ...(lastEvent && {
              last_event_id: newer('last_event_id', lastEvent.last_event_id),
              last_issue_id: newer('last_issue_id', lastEvent.last_issue_id),
            }),
            updated_at: newer('updated_at', updatedAt),
          }
        }),
      )
      .execute()
  })
}

const arrivalRow = z.object({ at: z.coerce.number() })

/** The last days first: most projects have sent something in them. */
async function readLastArrival(telemetry: Telemetry, projectId: number, { keptSince, nowMs }: At): Promise<number> {
  for (const day of [dayOf(nowMs) - 1, keptSince]) {
    let last = 0
    for (const table of ['events', 'spans', 'logs']) {
      const [row] = await telemetry.query({
        query: `SELECT toUnixTimestamp64Milli(max(received_at)) AS at FROM ${table}
                WHERE project_id = {projectId:UInt64} AND ${since(day)} LIMIT 1`,
        params: { projectId },
        schema: arrivalRow,
        settings: backgroundSettings,
      })
      last = Math.max(last, row?.at ?? 0)
    }
    if (last > 0) return last
  }
  return 0
}

async function hasRows(telemetry: Telemetry, table: SentKind, projectId: number): Promise<boolean> {
  const rows = await telemetry.query({
    query: `SELECT 1 AS at FROM ${table} WHERE project_id = {projectId:UInt64} LIMIT 1`,
    params: { projectId },
    schema: arrivalRow,
    settings: backgroundSettings,
  })
  return rows.length > 0
}

const newestRow = z.object({ eventId: z.string(), version: z.coerce.number(), hash: z.string() })
type NewestEvent = z.output<typeof newestRow>

async function readNewestEvent(
  telemetry: Telemetry,
  projectId: number,
  { keptSince, nowMs, committed }: At,
): Promise<NewestEvent | null> {
  for (const day of [dayOf(nowMs) - 1, keptSince]) {
    const [found] = await telemetry.query({
      query: `SELECT replaceAll(toString(event_id), '-', '') AS eventId, group_version AS version, toString(group_hash) AS hash
              FROM events WHERE project_id = {projectId:UInt64} AND ${since(day)} AND ${committed.condition}
              ORDER BY received_at DESC, event_id LIMIT 1`,
      params: { ...committed.params, projectId },
      schema: newestRow,
      settings: backgroundSettings,
    })
    if (found) return found
  }
  return null
}

async function countEvents(trx: Transaction<ControlSchema>, projectId: number): Promise<number> {
  const row = await trx
    .selectFrom('issue_hash')
    .select(({ fn }) => fn.sum('event_count').as('events'))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return Number(row?.events ?? 0)
}

async function findIssueId(
  db: Kysely<ControlSchema>,
  { projectId, version, hash }: NewestEvent & { projectId: number },
): Promise<number | null> {
  const row = await db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('project_id', '=', projectId)
    .where('group_version', '=', version)
    .where('group_hash', '=', hash)
    .executeTakeFirst()
  return row?.issue_id ?? null
}
