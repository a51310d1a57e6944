/**
 * Reads the log in the order of commits. Ids are assigned before their transaction commits, so a cursor on ids would skip a row that
 * commits after a later one. Each row therefore gets a position from the first reader that sees it committed, and cursors count those.
 */
import { type Kysely, sql } from 'kysely'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type ChangeDetail, readChangeDetail } from './append-changes.ts'

type Db = Kysely<ControlSchema>

/** Rows in one transaction: on SQLite, digest waits for it, and so does the process that accepts events. */
const placedAtOnce = 1_000
const headName = 'issue_change_head'
const trimmedName = 'issue_change_trimmed'

/** Gives every committed row a position. Readers on several nodes may do so at once: the head's row is their lock, and writers never wait for it. */
export async function placeChanges({ db }: Control): Promise<void> {
  while (await hasUnplaced(db)) {
    const placed = await db.transaction().execute(async trx => {
      const head = await moveHead(trx, 0)
      const result = await sql`
        update issue_change set position = ${head} + fresh.place from (
          select id, row_number() over (order by id) as place from (
            select id from issue_change where position is null order by id limit ${placedAtOnce}
          ) as unplaced
        ) as fresh where fresh.id = issue_change.id`.execute(trx)
      const count = Number(result.numAffectedRows ?? 0n)
      await moveHead(trx, count)
      return count
    })
    if (placed < placedAtOnce) return
  }
}

/** So that an idle reader takes no lock. */
async function hasUnplaced(db: Db): Promise<boolean> {
  const row = await db.selectFrom('issue_change').select('id').where('position', 'is', null).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Locks the head until the transaction ends, and gives its position. */
async function moveHead(trx: Db, by: number): Promise<number> {
  const { value } = await trx
    .insertInto('maintenance_state')
    .values({ name: headName, value: by })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet(eb => ({ value: eb('maintenance_state.value', '+', by) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}

/** The position of the newest placed row, or of a skip; 0 in the beginning. */
export const readHead = ({ db }: Control): Promise<number> => readNumber(db, headName)

/** Moves the head beyond a position, so that all later rows come after it, and gives the new head. */
export function skipBeyond({ db }: Control, position: number): Promise<number> {
  return db.transaction().execute(async trx => {
    const head = await moveHead(trx, 0)
    return moveHead(trx, Math.max(head, position) + 1 - head)
  })
}

export type ReadChange = {
  position: number
  projectId: number
  issueId: number
  kind: string
  at: number
  actor: string
  detail: ChangeDetail
}

/** The next rows after a position, oldest first. Call `placeChanges` before. */
export async function readChanges({ db }: Control, after: number, limit: number): Promise<ReadChange[]> {
  const rows = await db
    .selectFrom('issue_change')
    .select(['position', 'project_id', 'issue_id', 'kind', 'at', 'actor', 'detail'])
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    position: row.position ?? after,
    projectId: row.project_id,
    issueId: row.issue_id,
    kind: row.kind,
    at: row.at,
    actor: row.actor,
    detail: readChangeDetail(row.detail),
  }))
}

export async function hasChangesAfter({ db }: Control, position: number): Promise<boolean> {
  const row = await db
    .selectFrom('issue_change')
    .select('id')
    .where(({ or, eb }) => or([eb('position', 'is', null), eb('position', '>', position)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Null for a reader that has to start over: it has no cursor, or the rows after its cursor have been trimmed. */
export async function findCursor({ db }: Control, reader: string): Promise<number | null> {
  const cursor = await db.selectFrom('change_cursor').select('position').where('reader', '=', reader).executeTakeFirst()
  if (cursor === undefined) return null
  return cursor.position < (await readNumber(db, trimmedName)) ? null : cursor.position
}

/** Where a new reader begins, or one that had to start over. */
export async function beginCursor({ db }: Control, reader: string, position: number, nowMs: number): Promise<void> {
  const values = { position, moved_at: nowMs }
  await db
    .insertInto('change_cursor')
    .values({ reader, ...values })
    .onConflict(conflict => conflict.column('reader').doUpdateSet(values))
    .execute()
}

/** Never backwards, since another node may be further; and a cursor that was deleted meanwhile stays so, since its reader has to start over. */
export async function moveChangeCursor(
  { db }: Control,
  reader: string,
  position: number,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('change_cursor')
    .set({ position, moved_at: nowMs })
    .where('reader', '=', reader)
    .where('position', '<', position)
    .execute()
}

const dayMs = 86_400_000
const keptForMs = 14 * dayMs
/** A reader that has not moved for so long does not hold the log: it starts over. */
const waitedForMs = 60 * dayMs
const trimmedAtOnce = 5_000
/** Of no use to anybody later, and the most rows of all. */
const impactKeptForMs = dayMs / 24

/** Deletes old rows that every reader has passed. Gives their number. */
export async function trimChanges({ db }: Control, nowMs: number): Promise<number> {
  const cursors = await db
    .selectFrom('change_cursor')
    .select('position')
    .where('moved_at', '>=', nowMs - waitedForMs)
    .execute()
  const passed = Math.min(...cursors.map(({ position }) => position))
  const before = nowMs - (cursors.length === 0 ? waitedForMs : keptForMs)
  const impacts = await db
    .deleteFrom('issue_change')
    .where('kind', '=', 'impact')
    .where('position', '<=', Math.min(passed, Number.MAX_SAFE_INTEGER))
    .where('at', '<', nowMs - impactKeptForMs)
    .executeTakeFirst()
  let trimmed = Number(impacts.numDeletedRows)
  for (let count = trimmedAtOnce; count === trimmedAtOnce; trimmed += count) {
    const rows = await db
      .selectFrom('issue_change')
      .select('position')
      .where('position', '<=', Math.min(passed, Number.MAX_SAFE_INTEGER))
      .where('at', '<', before)
      .orderBy('position')
      .limit(trimmedAtOnce)
      .execute()
    const last = rows.at(-1)?.position ?? null
    count = rows.length
    if (last === null) break
    await db.transaction().execute(async trx => {
      await trx
        .insertInto('maintenance_state')
        .values({ name: trimmedName, value: last })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ value: last }))
        .execute()
      await trx.deleteFrom('issue_change').where('position', '<=', last).where('at', '<', before).execute()
    })
  }
  return trimmed
}

async function readNumber(db: Db, name: string): Promise<number> {
  const row = await db.selectFrom('maintenance_state').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? 0
}
