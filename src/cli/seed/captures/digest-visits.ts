/**
 * Digests repeated visits as another node would: from a separate inbox, with the times at which they would have been received. Over
 * HTTP they would all have been received now, and rate limits would apply to them.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { runDigestLoop } from '#digest/digest-loop.ts'
import { processRecord } from '#digest/process-record.ts'
import { createRecordInProgress } from '#digest/record-in-progress.ts'
import { noIssueLimits } from '#domain/issues/counters/issue-quota.ts'
import { type Inbox, openInbox } from '#inbox/open-inbox.ts'
import { endOfSeal } from '#inbox/seals.ts'
import { type DurableEnd, type SharedEnd, wakeWaiting } from '#inbox/segment-ends.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Control } from '#store/control/control.ts'
import { loadSecret, scrubKey } from '#store/control/secret.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { startSymbolicator } from '#symbolication/start-symbolicator.ts'
import { makeTemporaryFolder } from '../../temporary-folder.ts'
import type { CapturedVisit } from './capture-file.ts'
import type { PlannedVisit } from './plan-visits.ts'
import { prepareVisit } from './repeat-visit.ts'

type Options = {
  config: Config
  control: Control
  telemetry: Telemetry
  projectId: number
  visits: readonly PlannedVisit[]
  ids: ReadonlySet<string>
  log: Logger
  /** The first batches are processed before it resolves, and nothing is written. Rejects if that will never be allowed. */
  mayWrite: Promise<void>
  /** Ends after the batch in progress. Whatever was committed is complete. */
  signal: AbortSignal
}

const MiB = 1024 * 1024
/** A few large batches: most of the engine's work is the same for a small insert. */
const bound = { maxRecords: 10_000, maxBytes: 24 * MiB, maxFiles: 64 }
/** An address for documentation (RFC 5737). */
const clientAddress = '203.0.113.7'
/** Reconciliation counts rows of such batches although their inbox is gone. */
const inboxPrefix = 'seed:'

/** The number of rows that it has written. Only one may run per control database; the lease of the reconciliation sees to that. */
export async function digestVisits(options: Options): Promise<number> {
  const temporary = makeTemporaryFolder('hydrant-seed-inbox-')
  const folder = join(temporary.path, 'inbox')
  const inboxId = `${inboxPrefix}${randomBytes(6).toString('hex')}`
  let last: DurableEnd = { segment: 0, position: 0 }
  try {
    await forgetInboxes(options.control) // of seeds that were killed
    const inbox = await openInbox(folder, (_records, _bytes, end) => {
      last = end
    })
    try {
      await appendVisits(inbox, options)
      return await digestAll(options, { folder, inboxId, end: inbox.end, last })
    } finally {
      await inbox.close()
      await forgetInboxes(options.control)
    }
  } finally {
    temporary.remove()
  }
}

async function appendVisits(inbox: Inbox, { visits, ids, projectId, signal }: Options): Promise<void> {
  const prepared = new Map<CapturedVisit, ReturnType<typeof prepareVisit>>()
  for (const { visit, repeat } of visits) {
    signal.throwIfAborted()
    // One at a time, so that the statements of the other rows don't wait for this thread.
    const prepare = prepared.get(visit) ?? prepareVisit(visit, ids)
    prepared.set(visit, prepare)
    await Promise.all(
      prepare(repeat).map(({ at: receivedAt, userAgent, body }) =>
        inbox.append({ head: { projectId, keyId: 0, receivedAt, clientAddress, userAgent }, body }),
      ),
    )
  }
}

type Source = { folder: string; inboxId: string; end: SharedEnd; last: DurableEnd }

async function digestAll(
  { config, control, telemetry, log, mayWrite, signal }: Options,
  { folder, inboxId, end, last }: Source,
): Promise<number> {
  let rows = 0
  const blobs = openBlobs(config)
  const symbolicator = startSymbolicator(config)
  let isDone = false
  const finish = (): void => {
    isDone = true
    wakeWaiting(end) // the loop waits for more
  }
  let releasing: Promise<void> | null = null
  // The loop waits for the log in a way that does not keep a process alive.
  const alive = setInterval(() => undefined, 1_000)
  try {
    await runDigestLoop({
      source: { folder, inboxId, retentionDays: config.retentionDays },
      end,
      bound,
      control,
      // A batch is counted after its rows are written.
      stores: {
        telemetry: { ...telemetry, insert: given => mayWrite.then(() => telemetry.insert(given)) },
        blobs: { ...blobs, put: (...given) => mayWrite.then(() => blobs.put(...given)) },
        retentionDays: config.retentionDays.rest,
      },
      symbolicator,
      log,
      scrubKey: scrubKey(loadSecret(config)),
      issueLimits: noIssueLimits,
      isPast: true,
      report: progress => {
        if (progress.kind !== 'committed') return
        for (const own of Object.values(progress.prepared.rows)) rows += own.length
        const { segment, position } = endOfSeal(progress.prepared.seal)
        if (segment > last.segment || (segment === last.segment && position >= last.position))
          releasing ??= releaseAll(control, { inboxId, end, signal }).finally(finish)
      },
      suspect: null,
      inProgress: createRecordInProgress(),
      processRecord,
      isStopping: () => isDone || signal.aborted,
    })
    await releasing
  } finally {
    clearInterval(alive)
    await symbolicator.close()
  }
  signal.throwIfAborted()
  return rows
}

/** No other error will come that an event could be linked to. */
async function releaseAll(
  { db }: Control,
  { inboxId, end, signal }: { inboxId: string; end: SharedEnd; signal: AbortSignal },
): Promise<void> {
  await db.updateTable('held_event').set({ held_until: 0 }).where('inbox_id', '=', inboxId).execute()
  await db.updateTable('deferred_user').set({ due_at: 0 }).where('inbox_id', '=', inboxId).execute()
  const isWaiting = async (table: 'held_event' | 'deferred_user') =>
    (await db.selectFrom(table).select('event_id').where('inbox_id', '=', inboxId).limit(1).executeTakeFirst()) !==
    undefined
  while (!signal.aborted && ((await isWaiting('held_event')) || (await isWaiting('deferred_user')))) {
    wakeWaiting(end)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Nothing reads what digest remembers of an inbox that is gone. */
async function forgetInboxes({ db }: Control): Promise<void> {
  for (const table of ['inbox_cursor', 'batch_plan', 'trace_memory', 'held_event', 'deferred_user'] as const)
    await db.deleteFrom(table).where('inbox_id', 'like', `${inboxPrefix}%`).execute()
}
