/**
 * Digests repeated visits as another node would: from a separate inbox, with the times at which they would have been received. Over
 * HTTP they would all have been received now, and rate limits would apply to them.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { runDigestLoop } from '#digest/digest-loop.ts'
import { processRecord } from '#digest/process-record.ts'
import { createRecordInProgress } from '#digest/record-in-progress.ts'
import { openInbox } from '#inbox/open-inbox.ts'
import type { InboxRecord } from '#inbox/record.ts'
import { endOfSeal } from '#inbox/seals.ts'
import { type DurableEnd, publishEnd, readEnd, type SharedEnd } from '#inbox/segment-ends.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Control } from '#store/control/control.ts'
import { loadSecret, scrubKey } from '#store/control/secret.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { startSymbolicator } from '#symbolication/start-symbolicator.ts'
import { encodeRequest } from './capture-file.ts'
import type { PlannedVisit } from './plan-visits.ts'
import { repeatVisit } from './repeat-visit.ts'

type Options = {
  config: Config
  control: Control
  telemetry: Telemetry
  projectId: number
  visits: readonly PlannedVisit[]
  ids: ReadonlySet<string>
  log: Logger
  /** Ends after the batch in progress. Whatever was committed is complete. */
  signal: AbortSignal
}

const MiB = 1024 * 1024
const bound = { maxRecords: 600, maxBytes: 8 * MiB, maxFiles: 64 }
/** An address for documentation (RFC 5737). */
const clientAddress = '203.0.113.7'

/** The number of rows that it has written. */
export async function digestVisits(options: Options): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrant-seed-'))
  /** Reconciliation counts rows of such batches although their inbox is gone. */
  const inboxId = `seed:${randomBytes(6).toString('hex')}`
  let last: DurableEnd = { segment: 0, position: 0 }
  const inbox = await openInbox(folder, (_records, _bytes, end) => {
    last = end
  })
  try {
    await Promise.all(recordsOf(options).map(record => inbox.append(record)))
    return await digestAll(options, { folder, inboxId, end: inbox.end, last })
  } finally {
    await inbox.close()
    await forgetInbox(options.control, inboxId)
    await rm(folder, { recursive: true, force: true })
  }
}

function recordsOf({ visits, ids, projectId }: Options): InboxRecord[] {
  return visits.flatMap(({ visit, repeat }) =>
    repeatVisit(visit, ids, repeat).requests.map(request => ({
      head: { projectId, keyId: 0, receivedAt: request.at, clientAddress, userAgent: request.userAgent },
      body: encodeRequest(request),
    })),
  )
}

type Source = { folder: string; inboxId: string; end: SharedEnd; last: DurableEnd }

async function digestAll(
  { config, control, telemetry, log, signal }: Options,
  { folder, inboxId, end, last }: Source,
): Promise<number> {
  let rows = 0
  const symbolicator = startSymbolicator(config)
  let isDone = false
  const finish = (): void => {
    isDone = true
    publishEnd(end, readEnd(end)) // wakes the loop, which waits for more
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
      stores: { telemetry, blobs: openBlobs(config), retentionDays: config.retentionDays.rest },
      symbolicator,
      log,
      scrubKey: scrubKey(loadSecret(config)),
      report: progress => {
        if (progress.kind !== 'committed') return
        for (const own of Object.values(progress.prepared.rows)) rows += own.length
        const { segment, position } = endOfSeal(progress.prepared.seal)
        if (segment > last.segment || (segment === last.segment && position >= last.position))
          releasing ??= releaseAll(control, inboxId, signal).finally(finish)
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
async function releaseAll({ db }: Control, inboxId: string, signal: AbortSignal): Promise<void> {
  await db.updateTable('held_event').set({ held_until: 0 }).where('inbox_id', '=', inboxId).execute()
  await db.updateTable('deferred_user').set({ due_at: 0 }).where('inbox_id', '=', inboxId).execute()
  const isWaiting = async (table: 'held_event' | 'deferred_user') =>
    (await db.selectFrom(table).select('event_id').where('inbox_id', '=', inboxId).limit(1).executeTakeFirst()) !==
    undefined
  while (!signal.aborted && ((await isWaiting('held_event')) || (await isWaiting('deferred_user'))))
    await new Promise(resolve => setTimeout(resolve, 50))
}

/** Nothing reads what digest remembers of an inbox that is gone. */
async function forgetInbox({ db }: Control, inboxId: string): Promise<void> {
  for (const table of ['inbox_cursor', 'batch_plan', 'trace_memory', 'held_event', 'deferred_user'] as const)
    await db.deleteFrom(table).where('inbox_id', '=', inboxId).execute()
}
