/** The digest thread: runs the digest loop, polls DSN keys, and exchanges messages with the main thread. */
import { parentPort, workerData } from 'node:worker_threads'
import type { IssueLimits } from '#domain/issues/counters/issue-quota.ts'
import { type TailBatch, tailBatch } from '#domain/logs/tail/tail-line.ts'
import type { LogPosition, SliceBound } from '#inbox/read-log.ts'
import { endOfSeal } from '#inbox/seals.ts'
import { type DurableEnd, type SharedEnd, wakeWaiting } from '#inbox/segment-ends.ts'
import { type Survey, surveyLog } from '#inbox/survey-log.ts'
import { openLog } from '#lib/open-log.ts'
import type { Outcome } from '#lib/outcome.ts'
import { lowerThreadPriority } from '#lib/timing.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openControl } from '#store/control/open-control.ts'
import { type KeySnapshot, readKeys } from '#store/control/read-keys.ts'
import { openTelemetry, type TelemetryAddress } from '#store/telemetry/telemetry.ts'
import { telemetryOnce } from '#store/telemetry/telemetry-once.ts'
import { startSymbolicator } from '#symbolication/start-symbolicator.ts'
import { readCursor } from './cursor.ts'
import { runDigestLoop } from './digest-loop.ts'
import type { Progress, Suspect } from './loop-options.ts'
import type { ProcessRecord } from './process-records.ts'
import type { RecordInProgress } from './record-in-progress.ts'
import { createRefusalWriter } from './refusal-writer.ts'
import { watchLateSourceMaps } from './symbolicate/regroup-late.ts'

/** SQLite itself waits for 4 MB, which a small installation takes weeks to write. */
const checkpointEveryMs = 15_000
/** Ingest must know a key that the CLI created within a second. */
const keyPollMs = 250

export async function runDigestThread(processRecord: ProcessRecord): Promise<void> {
  if (!parentPort) throw new Error('digest-worker.ts is a worker thread of the main process. Start `hydrant` instead.')
  const port = parentPort
  lowerThreadPriority()
  const data = workerData as DigestThreadData
  const post = (message: FromDigest): void => port.postMessage(message)

  const log = openLog('digest', data.logLevel)
  const control = openControl({ dataDir: data.dataDir, databaseUrl: data.databaseUrl })
  let begin: () => void = () => undefined
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  // Records can be processed before the engine is up; only the first query waits for it.
  const telemetry = telemetryOnce(begun, openTelemetry(data.telemetry))
  const blobs = openBlobs({ dataDir: data.dataDir, blobsUrl: data.blobsUrl })
  const symbolicator = startSymbolicator({ dataDir: data.dataDir, blobsUrl: data.blobsUrl })
  const refusals = createRefusalWriter({
    telemetry,
    inboxId: data.inboxId,
    retentionDays: data.retentionDays.rest,
    log,
  })
  let isStopping = false
  let isTailed = false
  /** The last committed batch; null until the cursor was read. */
  let committed: number | null = null
  const announceTail = (): void => {
    if (isTailed && committed !== null) post({ type: 'tailing', inboxId: data.inboxId, batch: committed })
  }

  port.on('message', (message: ToDigest) => {
    if (message.type === 'ping') return post({ type: 'pong' })
    if (message.type === 'tail') {
      isTailed = message.isOn
      return announceTail()
    }
    if (message.type === 'refusals') return refusals.add(message.outcomes)
    if (message.type === 'stop') {
      isStopping = true
      wakeWaiting(data.end)
    }
    begin()
  })

  let lastKeys = ''
  async function pollKeys(): Promise<void> {
    try {
      const snapshot = await readKeys(control)
      const text = JSON.stringify(snapshot)
      if (text !== lastKeys) post({ type: 'keys', snapshot })
      lastKeys = text
    } catch (error) {
      log.warn({ error: String(error) }, 'DSN keys could not be read; ingest keeps using the known ones')
    }
    if (!isStopping) setTimeout(pollKeys, keyPollMs)
  }
  void pollKeys()

  /** On this thread, because the sync would block requests in main. */
  async function checkpoint(): Promise<void> {
    await control.checkpoint().catch(error => log.warn({ error: String(error) }, 'checkpoint of control.db failed'))
    if (!isStopping) setTimeout(checkpoint, checkpointEveryMs).unref()
  }
  void checkpoint()

  function report(progress: Progress): void {
    if (progress.kind === 'recovered') {
      const { batch, ...upTo } = progress.cursor
      committed = batch
      announceTail()
      post({ type: 'committed', batch, upTo, items: [], outcomes: [] })
      return
    }
    if (progress.kind === 'processing') {
      post({ type: 'processing', batch: progress.batch, isPlanned: progress.isPlanned })
      return
    }
    if (progress.kind === 'writing') {
      post({ type: 'writing', batch: progress.batch })
      return
    }
    const { batch, prepared } = progress
    const outcomes = progress.outcomes.map(
      row => [row.category, row.reason, row.quantity] satisfies [string, string, number],
    )
    post({ type: 'committed', batch, upTo: endOfSeal(prepared.seal), items: [...prepared.items], outcomes })
    committed = batch
    const { receivedAt, rows } = prepared
    if (isTailed && rows.logs.length > 0)
      post({ type: 'lines', batch: tailBatch({ inboxId: data.inboxId, batch, receivedAt }, rows.logs) })
  }

  const cursor = await readCursor(control, data.inboxId)
  committed = cursor.batch
  announceTail()
  const survey = await surveyLog(data.inboxFolder, cursor, data.startedAt, new Set(data.spoolBefore))
  post({ type: 'surveyed', survey, from: { segment: cursor.segment, position: cursor.position } })
  const lateMaps = watchLateSourceMaps({ control, telemetry, symbolicator }, log)

  await runDigestLoop({
    source: { folder: data.inboxFolder, inboxId: data.inboxId, retentionDays: data.retentionDays },
    end: data.end,
    bound: data.bound,
    control,
    stores: { telemetry, blobs, retentionDays: data.retentionDays.rest },
    symbolicator,
    log,
    scrubKey: data.scrubKey,
    issueLimits: data.issueLimits,
    report,
    suspect: data.suspect,
    inProgress: data.inProgress,
    processRecord,
    isStopping: () => isStopping,
  }).catch((error: unknown) => {
    if (!isStopping) throw error
    log.info({ error: String(error) }, 'batch not finished; it stays in the inbox and is repeated at the next start')
  })
  await lateMaps.stop()
  await symbolicator.close()
  await refusals.close()
  await telemetry.close()
  await control.close()
  post({ type: 'stopped' })
  port.close()
}

export type DigestThreadData = {
  inboxFolder: string
  inboxId: string
  end: SharedEnd
  /** Where the log ended when this process opened it: everything before it is a backlog. */
  startedAt: DurableEnd
  spoolBefore: string[]
  dataDir: string
  databaseUrl: string | undefined
  blobsUrl: string | undefined
  telemetry: TelemetryAddress
  bound: SliceBound
  retentionDays: { errors: number; rest: number }
  logLevel: string
  scrubKey: string
  issueLimits: IssueLimits
  suspect: Suspect | null
  inProgress: RecordInProgress
}

export type FromDigest =
  /** Once for each start of the thread: where it continues, and the backlog of the process. */
  | { type: 'surveyed'; survey: Survey; from: LogPosition }
  /** `isPlanned`: an earlier run has processed the batch and may have written some of it. */
  | { type: 'processing'; batch: number; isPlanned: boolean }
  | { type: 'writing'; batch: number }
  | {
      type: 'committed'
      batch: number
      upTo: LogPosition
      items: [string, number][]
      outcomes: [category: string, reason: string, quantity: number][]
    }
  /** For those who watch the logs: the lines of all batches after this one will follow, each as `lines`. */
  | { type: 'tailing'; inboxId: string; batch: number }
  | { type: 'lines'; batch: TailBatch }
  | { type: 'keys'; snapshot: KeySnapshot }
  | { type: 'pong' }
  | { type: 'stopped' }

/** `begin` is sent when the telemetry tables exist; keys are polled before that. */
export type ToDigest =
  | { type: 'begin' }
  | { type: 'ping' }
  | { type: 'refusals'; outcomes: Outcome[] }
  /** Whether somebody watches the logs. */
  | { type: 'tail'; isOn: boolean }
  | { type: 'stop' }
