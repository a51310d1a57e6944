/** What the digest thread and the main thread say to each other. */
import type { DurableEnd, SharedEnd } from '#inbox/durable-end.ts'
import type { LogPlace, SliceBound } from '#inbox/read-log.ts'
import type { Survey } from '#inbox/survey-log.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { KeyringSnapshot } from '#store/control/read-keyring.ts'
import type { TelemetryPlace } from '#store/telemetry/telemetry.ts'
import type { Suspect } from './next-seal.ts'
import type { RecordInProgress } from './record-in-progress.ts'

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
  telemetry: TelemetryPlace
  bound: SliceBound
  retentionDays: { errors: number; rest: number }
  logLevel: string
  suspect: Suspect | null
  inProgress: RecordInProgress
}

export type FromDigest =
  /** Once for each life of the thread: where it goes on, and what waited there when the process began. */
  | { type: 'surveyed'; survey: Survey; from: LogPlace }
  /** `isPlanned`: an earlier life has processed it and may have written some of it. */
  | { type: 'understanding'; batch: number; isPlanned: boolean }
  | { type: 'writing'; batch: number }
  | {
      type: 'committed'
      batch: number
      upTo: LogPlace
      items: [string, number][]
      outcomes: [category: string, reason: string, quantity: number][]
    }
  | { type: 'keyring'; snapshot: KeyringSnapshot }
  | { type: 'pong' }
  | { type: 'stopped' }

/** `begin` comes once the telemetry tables exist; keys are watched from the first moment. */
export type ToDigest =
  | { type: 'begin' }
  | { type: 'ping' }
  | { type: 'refusals'; outcomes: Outcome[] }
  | { type: 'stop' }
