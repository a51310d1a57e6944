/**
 * Remembers submitted forms, so a form that is sent again because its answer was lost doesn't run twice. The browser generates a random id
 * for each submission. The table stores a hash of the id, and the result sealed with a key derived from the id, because a result can be a
 * token that is shown only once. Only the browser has the id, so a copy of the database reveals nothing.
 */
import { createHash, hkdfSync } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import type { Kysely } from 'kysely'
import { open, seal } from '#lib/seal.ts'
import type { ControlSchema } from './schema.ts'

type Db = Kysely<ControlSchema>

/** `owner` is the sender, so an id opens nothing for anyone else. */
export type Submission = { owner: string; id: string }

/** How long a lost answer can be fetched. */
export const keptForMs = 24 * 60 * 60_000
/** A command still marked as running after this time was killed at an unknown point. */
export const lostAfterMs = 2 * 60_000

export type Claim =
  /** This is the first time: run it, then call `finishSubmission` or `releaseSubmission`. */
  | { kind: 'first' }
  | { kind: 'done'; result: unknown }
  | { kind: 'running' }
  /** Its process was killed before it could say whether it was done. */
  | { kind: 'unclear' }
  /** The server already told the browser that the submission hadn't arrived. */
  | { kind: 'withdrawn' }

/** One of several requests with the same id is the first, on whichever node they arrive. */
export async function claimSubmission(db: Db, submission: Submission, nowMs: number): Promise<Claim> {
  return (await insert(db, submission, 'running', nowMs)) ? { kind: 'first' } : readClaim(db, submission, nowMs)
}

export async function finishSubmission(db: Db, submission: Submission, result: unknown): Promise<void> {
  const text = seal(keyOf(submission), 'submission', serialize(result))
  await db
    .updateTable('submission')
    .set({ state: 'done', result: text })
    .where('key', '=', nameOf(submission))
    .execute()
}

/** It changed nothing, so the same id may try again. */
export async function releaseSubmission(db: Db, submission: Submission): Promise<void> {
  await db.deleteFrom('submission').where('key', '=', nameOf(submission)).where('state', '=', 'running').execute()
}

/**
 * Whether it has arrived. One that has not is withdrawn: if it arrives later, nothing happens. So the browser can say that nothing was
 * changed, and sends it again under a new id.
 */
export async function withdrawSubmission(db: Db, submission: Submission, nowMs: number): Promise<Claim['kind']> {
  if (await insert(db, submission, 'withdrawn', nowMs)) return 'withdrawn'
  return (await readClaim(db, submission, nowMs)).kind
}

export async function trimSubmissions(db: Db, nowMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('submission')
    .where('created_at', '<', nowMs - keptForMs)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function insert(db: Db, submission: Submission, state: 'running' | 'withdrawn', nowMs: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('submission')
    .values({ key: nameOf(submission), state, result: '', created_at: nowMs })
    .onConflict(conflict => conflict.column('key').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

async function readClaim(db: Db, submission: Submission, nowMs: number): Promise<Claim> {
  const row = await db
    .selectFrom('submission')
    .select(['state', 'result', 'created_at'])
    .where('key', '=', nameOf(submission))
    .executeTakeFirst()
  if (row === undefined) return { kind: 'running' } // released a moment ago
  if (row.state === 'withdrawn') return { kind: 'withdrawn' }
  if (row.state === 'running') return { kind: nowMs - row.created_at < lostAfterMs ? 'running' : 'unclear' }
  const plain = open(keyOf(submission), 'submission', row.result)
  if (plain === null) throw new Error('the result of a submission cannot be opened')
  return { kind: 'done', result: deserialize(plain) }
}

const nameOf = ({ owner, id }: Submission): string => createHash('sha256').update(`${owner}:${id}`).digest('hex')
const keyOf = ({ owner, id }: Submission): Buffer => Buffer.from(hkdfSync('sha256', id, owner, 'submission', 32))
