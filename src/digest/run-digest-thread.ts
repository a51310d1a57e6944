/** What the digest thread does: digest, watch the keys, answer the main thread. */
import { parentPort, workerData } from 'node:worker_threads'
import type { LogPosition, SliceBound } from '#inbox/read-log.ts'
import { endOfSeal } from '#inbox/seals.ts'
import type { DurableEnd, SharedEnd } from '#inbox/segment-ends.ts'
import { type Survey, surveyLog } from '#inbox/survey-log.ts'
import { openLog } from '#lib/open-log.ts'
import type { Outcome } from '#lib/outcome.ts'
import { stepThreadBack } from '#lib/timing.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openControl } from '#store/control/open-control.ts'
import { type KeySnapshot, readKeys } from '#store/control/read-keys.ts'
import { openTelemetry, type TelemetryAddress } from '#store/telemetry/telemetry.ts'
import { telemetryOnce } from '#store/telemetry/telemetry-once.ts'
import { startSymbolicator } from '#symbolication/start-symbolicator.ts'
import { readCursor } from './commit-batch.ts'
import { runDigestLoop } from './digest-loop.ts'
import type { Progress, Suspect } from './loop-options.ts'
import type { ProcessRecord } from './prepare-batch.ts'
import type { RecordInProgress } from './record-in-progress.ts'
import { createRefusalWriter } from './refusals.ts'
import { watchLateMaps } from './symbolicate/regroup-late.ts'

const checkpointEveryMs = 15_000 // SQLite itself waits for 4 MB, which a small installation takes weeks to write
const keyPollMs = 250 // a key made by the command line must be known to ingest within a second

export async function runDigestThread(processRecord: ProcessRecord): Promise<void> {
  if (!parentPort) throw new Error('digest runs as a thread of the main process.')
  const port = parentPort
  stepThreadBack()
  const data = workerData as DigestThreadData
  const post = (message: FromDigest): void => port.postMessage(message)

  const log = openLog('digest', data.logLevel)
  const control = openControl({ dataDir: data.dataDir, databaseUrl: data.databaseUrl })
  let begin: () => void = () => undefined
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  // Until the engine is up there is time to understand what waits.
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

  port.on('message', (message: ToDigest) => {
    if (message.type === 'ping') return post({ type: 'pong' })
    if (message.type === 'refusals') return refusals.add(message.outcomes)
    if (message.type === 'stop') isStopping = true
    begin()
  })

  let knownKeyring = ''
  async function pollKeyring(): Promise<void> {
    try {
      const snapshot = await readKeys(control)
      const text = JSON.stringify(snapshot)
      if (text !== knownKeyring) post({ type: 'keyring', snapshot })
      knownKeyring = text
    } catch (error) {
      log.warn({ error: String(error) }, 'keys could not be read; ingest goes on with those it knows')
    }
    if (!isStopping) setTimeout(pollKeyring, keyPollMs)
  }
  void pollKeyring()

  /** In this thread: the sync would hold up requests in main. */
  async function checkpoint(): Promise<void> {
    await control
      .checkpoint()
      .catch(error => log.warn({ error: String(error) }, 'the write-ahead log of control.db could not be checkpointed'))
    if (!isStopping) setTimeout(checkpoint, checkpointEveryMs).unref()
  }
  void checkpoint()

  function report(progress: Progress): void {
    if (progress.kind === 'recovered') {
      const { batch, ...upTo } = progress.cursor
      post({ type: 'committed', batch, upTo, items: [], outcomes: [] })
      return
    }
    const { kind, batch, prepared } = progress
    if (kind !== 'committed' || !prepared) {
      post(
        kind === 'understanding'
          ? { type: kind, batch, isPlanned: progress.isPlanned === true }
          : { type: 'writing', batch },
      )
      return
    }
    const outcomes = prepared.rows.outcomes.map(
      row => [row.category, row.reason, row.quantity] satisfies [string, string, number],
    )
    post({
      type: 'committed',
      batch,
      upTo: endOfSeal(prepared.seal),
      items: [...prepared.items],
      outcomes,
    })
  }

  const cursor = await readCursor(control, data.inboxId)
  const survey = await surveyLog(data.inboxFolder, cursor, data.startedAt, new Set(data.spoolBefore))
  post({ type: 'surveyed', survey, from: { segment: cursor.segment, position: cursor.position } })
  const lateMaps = watchLateMaps({ control, telemetry, symbolicator }, log)

  await runDigestLoop({
    source: { folder: data.inboxFolder, inboxId: data.inboxId, retentionDays: data.retentionDays },
    end: data.end,
    bound: data.bound,
    control,
    stores: { telemetry, blobs, retentionDays: data.retentionDays.rest },
    symbolicator,
    log,
    report,
    suspect: data.suspect,
    inProgress: data.inProgress,
    processRecord,
    isStopping: () => isStopping,
  }).catch((error: unknown) => {
    if (!isStopping) throw error
    log.info({ error: String(error) }, 'a batch was not finished; it stays in the inbox for the next start')
  })
  await lateMaps.stop()
  await symbolicator.close()
  await refusals.close()
  await telemetry.close()
  await control.close()
  post({ type: 'stopped' })
  port.close()
}

/* What the digest thread and the main thread say to each other. */

export type DigestThreadData = {
  inboxFolder: string
  inboxId: string
  end: SharedEnd
  /** Where the log ended when this process opened it: what lies before is a backlog from an earlier life. */
  startedAt: DurableEnd
  spoolBefore: string[]
  dataDir: string
  databaseUrl: string | undefined
  blobsUrl: string | undefined
  telemetry: TelemetryAddress
  bound: SliceBound
  retentionDays: { errors: number; rest: number }
  logLevel: string
  suspect: Suspect | null
  inProgress: RecordInProgress
}

export type FromDigest =
  /** Once for each life of the thread: where it goes on, and what waited there when the process began. */
  | { type: 'surveyed'; survey: Survey; from: LogPosition }
  /** `isPlanned`: an earlier life has processed it and may have written some of it. */
  | { type: 'understanding'; batch: number; isPlanned: boolean }
  | { type: 'writing'; batch: number }
  | {
      type: 'committed'
      batch: number
      upTo: LogPosition
      items: [string, number][]
      outcomes: [category: string, reason: string, quantity: number][]
    }
  | { type: 'keyring'; snapshot: KeySnapshot }
  | { type: 'pong' }
  | { type: 'stopped' }

/** `begin` comes once the telemetry tables exist; keys are watched from the first moment. */
export type ToDigest =
  | { type: 'begin' }
  | { type: 'ping' }
  | { type: 'refusals'; outcomes: Outcome[] }
  | { type: 'stop' }
