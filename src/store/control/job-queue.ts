/**
 * The queue of background work, the same on SQLite and PostgreSQL. A process claims a job with a lease: if it is killed, the lease
 * expires and another one runs the job again, so whatever a job does must be repeatable or in one transaction with `finishJob`.
 */

import type { Kysely } from 'kysely'
import { clipText } from '#lib/text.ts'
import type { ControlSchema } from './schema.ts'

type Db = Kysely<ControlSchema>

export type Job = { id: number; name: string; key: string; payload: string; attempts: number; everyMs: number | null }
type NewJob = { name: string; key: string; payload?: object; runAt: number; everyMs?: number }

/** Does nothing if the key is queued already. Call it in the transaction that makes the work necessary. */
export async function enqueueJob(db: Db, job: NewJob, nowMs: number): Promise<void> {
  await db
    .insertInto('job')
    .values({
      name: job.name,
      key: job.key,
      payload: JSON.stringify(job.payload ?? {}),
      run_at: job.runAt,
      every_ms: job.everyMs ?? null,
      created_at: nowMs,
    })
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
}

type Claim = { names: readonly string[]; holder: string; nowMs: number; leaseMs: number }

/** Claims the unclaimed job that has been due the longest, or returns null if there is no such job. Only reads while no job is due. */
export async function claimJob(db: Db, { names, holder, nowMs, leaseMs }: Claim): Promise<Job | null> {
  const due = await db
    .selectFrom('job')
    .select(['id', 'leased_by', 'leased_until'])
    .where('state', '=', 'queued')
    .where('run_at', '<=', nowMs)
    .where('name', 'in', names)
    .where(({ or, eb }) =>
      or([
        eb('leased_until', '<=', nowMs),
        // Taken while the clock was ahead; it has been set back since.
        eb('leased_until', '>', nowMs + 2 * leaseMs),
      ]),
    )
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (due === undefined) return null
  const row = await db
    .updateTable('job')
    .set(({ eb }) => ({ leased_by: holder, leased_until: nowMs + leaseMs, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', due.id)
    .where('state', '=', 'queued')
    .where('run_at', '<=', nowMs)
    // Another process may have claimed it since.
    .where('leased_by', '=', due.leased_by)
    .where('leased_until', '=', due.leased_until)
    .returning(['id', 'name', 'key', 'payload', 'attempts', 'every_ms'])
    .executeTakeFirst()
  if (row === undefined) return null
  const { every_ms: everyMs, ...job } = row
  return { ...job, everyMs }
}

/** Ends a job that its holder still has: deletes it, or sets the next run of a schedule. False if the lease was lost. */
export async function finishJob(db: Db, { id, everyMs }: Job, holder: string, nowMs: number): Promise<boolean> {
  if (everyMs === null) {
    const gone = await db.deleteFrom('job').where('id', '=', id).where('leased_by', '=', holder).executeTakeFirst()
    return gone.numDeletedRows > 0n
  }
  const next = await db
    .updateTable('job')
    .set({ run_at: nowMs + everyMs, attempts: 0, leased_by: '', leased_until: 0, last_error: '' })
    .where('id', '=', id)
    .where('leased_by', '=', holder)
    .executeTakeFirst()
  return next.numUpdatedRows > 0n
}

const firstRetryMs = 1_000
const longestRetryMs = 10 * 60_000
/** About six hours of retries. A schedule is never given up. */
const maxAttempts = 45

/** Doubles with each attempt, up to ten minutes. */
export const retryAfterMs = (attempts: number): number =>
  Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempts - 1, 20))

export async function failJob(db: Db, job: Job, holder: string, error: string, nowMs: number): Promise<void> {
  const isOver = job.everyMs === null && job.attempts >= maxAttempts
  await db
    .updateTable('job')
    .set({
      state: isOver ? 'dead' : 'queued',
      run_at: nowMs + retryAfterMs(job.attempts),
      leased_by: '',
      leased_until: 0,
      last_error: clipText(error, 1_000),
    })
    .where('id', '=', job.id)
    .where('leased_by', '=', holder)
    .execute()
}
