/**
 * New issues whose events were all too old to be news when they arrived: a phone was offline, or a clock is wrong. If such an issue gets
 * a current event within two days, it is news after all, so its change is appended to the log once more.
 */
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { appendChanges } from '#domain/issues/change-log/append-changes.ts'
import type { ReadChange } from '#domain/issues/change-log/read-changes.ts'
import { systemActor } from '#domain/issues/lifecycle/transition.ts'
import { jsonOf } from '#lib/json-value.ts'
import type { Control } from '#store/control/control.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'

/** Data that is imported or arrives very late is no news. */
export const newsForMs = 86_400_000
/** Longer than a clock is usually ahead for a moment. */
const heldForMs = 2 * newsForMs
/** In `alert_held`, beside the keys of lanes. */
const lateTarget = 'late'
/** More than so many at a time are an import. */
const mostHeld = 100

const heldSchema = z.object({
  projectId: z.number(),
  issueId: z.number(),
  detail: z.object({ eventId: z.string().optional(), release: z.string().optional() }),
})

/** In the transaction that moves the cursor of alerts past these changes. */
export async function holdLateNews(
  trx: Transaction<ControlSchema>,
  changes: readonly ReadChange[],
  nowMs: number,
): Promise<void> {
  if (changes.length === 0) return
  const { held } = await trx
    .selectFrom('alert_held')
    .select(({ fn }) => fn.countAll<number>().as('held'))
    .where('target', '=', lateTarget)
    .executeTakeFirstOrThrow()
  const room = mostHeld - Number(held)
  if (changes.length > room) return
  await trx
    .insertInto('alert_held')
    .values(
      changes.map(({ projectId, issueId, detail }) => ({
        target: lateTarget,
        message: JSON.stringify({ projectId, issueId, detail } satisfies z.input<typeof heldSchema>),
        held_at: nowMs,
      })),
    )
    .execute()
}

/** Appends the changes of issues that have got a current event. Returns how many. */
export async function releaseLateNews({ db }: Control, nowMs: number): Promise<number> {
  const rows = await db.selectFrom('alert_held').selectAll().where('target', '=', lateTarget).orderBy('id').execute()
  let released = 0
  for (const row of rows) {
    const held = heldSchema.safeParse(jsonOf(row.message)).data
    const isOver = held === undefined || Math.abs(nowMs - row.held_at) > heldForMs
    if (!isOver && !(await isCurrent(db, held.issueId, nowMs))) continue
    released += await retryDeadlocks(() =>
      db.transaction().execute(async trx => {
        const { numDeletedRows } = await trx.deleteFrom('alert_held').where('id', '=', row.id).executeTakeFirst()
        // Another node may be faster.
        if (isOver || numDeletedRows === 0n) return 0
        const { projectId, issueId, detail } = held
        await appendChanges(trx, [{ projectId, issueId, kind: 'new', at: nowMs, actor: systemActor, detail }])
        return 1
      }),
    )
  }
  return released
}

/** Without a member's decision about it, which would make it no news. */
async function isCurrent(db: Control['db'], issueId: number, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('issue')
    .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
    .select('issue.id')
    .where('issue.id', '=', issueId)
    .where('issue.status', '=', 'unresolved')
    .where('issue_hash.last_seen', '>=', nowMs - newsForMs)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
