/** Works through the requests to delete a user's data, on one node at a time. */

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { readDigested } from '#domain/alerts/minute-clock.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import {
  type ErasureCounts,
  type ErasureProgress,
  hideIdentifiers,
  readIdentifiers,
  readProgress,
} from '#domain/privacy/erasures.ts'
import { clipText } from '#lib/text.ts'
import { holdLease, keepLease } from '../job-lease.ts'
import { type EraseStores, eraseUser, type Ledger, nameUser } from './erase-user.ts'

export type ErasureOptions = EraseStores & {
  /** Identifies this process in the lease. */
  holder: string
  /** For what a receipt keeps of the user. */
  hashKey: string
  now(): number
}

const leaseName = 'user_erasure'

/**
 * Does the oldest request that can be done. Two passes: what arrives during the first is deleted by the second, once every node has
 * stored all of it. `waiting`: all that is left waits for a node. `busy`: another process does it.
 */
export async function eraseNext(options: ErasureOptions): Promise<'none' | 'done' | 'waiting' | 'busy'> {
  const { db } = options.control
  const requests = await listOpen(options)
  if (requests.length === 0) return 'none'
  const lease = { name: leaseName, holder: options.holder }
  if (!(await holdLease(db, lease, options.now()))) return 'busy'
  const endLease = keepLease(db, lease, options.now)
  try {
    for (const request of requests) if ((await attempt(options, request)) === 'done') return 'done'
    return 'waiting'
  } finally {
    await endLease()
  }
}

async function attempt(options: ErasureOptions, request: Request): Promise<'done' | 'waiting'> {
  try {
    return await erase(options, request)
  } catch (error) {
    await save(options, request.id, { last_error: clipText(String(error), 500) })
    throw error
  }
}

type Request = { id: string; organizationId: number; identifiers: string; progress: string; coversUntil: number | null }

async function erase(options: ErasureOptions, request: Request): Promise<'done' | 'waiting'> {
  const { id, organizationId } = request
  const user = readIdentifiers(request.identifiers)
  const projects = await options.control.db
    .selectFrom('project')
    .select('id')
    .where('organization_id', '=', organizationId)
    .execute()
  const projectIds = projects.map(project => project.id)
  const progress = readProgress(request.progress)
  const ledger = openLedger(progress, () => save(options, id, { progress: JSON.stringify(progress) }))
  let { coversUntil } = request
  if (coversUntil === null) {
    await save(options, id, { state: 'running' })
    await eraseUser(options, nameUser(user, projectIds, options.now()), ledger)
    coversUntil = options.now()
    await save(options, id, { covers_until: coversUntil })
  }
  const digested = await readDigested(options.control, coversUntil, options.now())
  if (!digested.isDigested) return 'waiting'
  progress.missedNodes = digested.missed
  await eraseUser(options, nameUser(user, projectIds, coversUntil), ledger)
  await finish(options, request, { identifiers: hideIdentifiers(user, options.hashKey, organizationId), progress })
  // The log of SQLite still contains the identifiers. It can't be emptied during a read, but is overwritten soon.
  await options.control.checkpoint('truncate').catch(() => undefined)
  return 'done'
}

const maxOpen = 20

async function listOpen({ control: { db } }: ErasureOptions): Promise<Request[]> {
  return db
    .selectFrom('user_erasure')
    .select(['id', 'organization_id as organizationId', 'identifiers', 'progress', 'covers_until as coversUntil'])
    .where('state', 'in', ['queued', 'running'])
    .orderBy('requested_at')
    .orderBy('id')
    .limit(maxOpen)
    .execute()
}

type Change = Partial<{
  state: 'running'
  progress: string
  covers_until: number
  last_error: string
}>

async function save({ control: { db } }: ErasureOptions, id: string, change: Change): Promise<void> {
  await db.updateTable('user_erasure').set(change).where('id', '=', id).where('state', '!=', 'done').execute()
}

/** The receipt and its audit entry, once. */
async function finish(
  { control: { db }, now }: ErasureOptions,
  { id, organizationId }: Request,
  { identifiers, progress }: { identifiers: string; progress: ErasureProgress },
): Promise<void> {
  await db.transaction().execute(async trx => {
    const closed = await trx
      .updateTable('user_erasure')
      .set({ state: 'done', identifiers, progress: JSON.stringify(progress), finished_at: now(), last_error: '' })
      .where('id', '=', id)
      .where('state', '!=', 'done')
      .returning('id')
      .executeTakeFirst()
    if (closed === undefined) return
    await writeAudit(
      { db: trx, actor: 'maintenance', now },
      { organizationId, action: 'user_data.deleted', target: `user_erasure:${id}`, detail: progress.deleted },
    )
  })
}

/** Counts rows once, although a step that was killed is repeated and may find its rows gone. */
function openLedger(progress: ErasureProgress, store: () => Promise<void>): Ledger {
  const add = (counts: ErasureCounts) => {
    for (const [name, count] of Object.entries(counts))
      if (count > 0) progress.deleted[name] = (progress.deleted[name] ?? 0) + count
  }
  return {
    begin: async (step, counts, first = '') => {
      const before = progress.pending[step]
      // Another chunk: so the one before is gone.
      if (before !== undefined && first !== '' && before.first !== first) add(before.counts)
      const isSame = before !== undefined && (first === '' || before.first === first)
      progress.pending[step] = {
        first: isSame ? before.first : first,
        counts: isSame ? larger(counts, before.counts) : counts,
      }
      await store()
    },
    finish: async step => {
      add(progress.pending[step]?.counts ?? {})
      Reflect.deleteProperty(progress.pending, step)
      await store()
    },
  }
}

const larger = (a: ErasureCounts, b: ErasureCounts): ErasureCounts =>
  Object.fromEntries(Object.keys({ ...a, ...b }).map(name => [name, Math.max(a[name] ?? 0, b[name] ?? 0)]))

const pollMs = 1_000
const retryMs = 30_000

/** Runs `eraseNext` whenever there is a request. */
export function startErasureJob(
  options: Omit<ErasureOptions, 'holder' | 'now'> & { log: Pick<Logger, 'info' | 'error'> },
): { stop(): Promise<void> } {
  const job: ErasureOptions = { ...options, holder: randomUUID(), now: Date.now }
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> = Promise.resolve()

  function next(afterMs: number): void {
    if (isStopping) return
    timer = setTimeout(() => {
      round = eraseNext(job)
        .then(result => {
          if (result === 'done') options.log.info({}, 'deleted the data of a user')
          return pollMs
        })
        .catch(error => {
          options.log.error({ error: String(error) }, 'the data of a user could not be deleted; retrying')
          return retryMs
        })
        .then(next)
    }, afterMs)
    timer.unref()
  }
  next(pollMs)
  return {
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await round
    },
  }
}
