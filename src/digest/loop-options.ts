import type { Logger } from 'pino'
import type { IssueLimits } from '#domain/issues/counters/issue-quota.ts'
import type { LogPosition, SliceBound } from '#inbox/read-log.ts'
import type { SetAside } from '#inbox/seals.ts'
import type { SharedEnd } from '#inbox/segment-ends.ts'
import type { Control } from '#store/control/control.ts'
import type { OutcomeRow } from '#store/telemetry/rows.ts'
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'
import type { Cursor } from './cursor.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import type { ProcessRecord, Source } from './process-records.ts'
import type { RecordInProgress } from './record-in-progress.ts'
import type { WriteStores } from './write-batch.ts'

export type Progress =
  | { kind: 'processing'; batch: number; isPlanned: boolean }
  | { kind: 'writing'; batch: number }
  | { kind: 'committed'; batch: number; prepared: PreparedBatch; outcomes: OutcomeRow[] }
  | { kind: 'recovered'; cursor: Cursor }

export type LoopOptions = {
  source: Source
  end: SharedEnd
  bound: SliceBound
  control: Control
  stores: WriteStores
  symbolicator: Symbolicator
  log: Logger
  /** Key of the hashes that own scrubbing rules make. */
  scrubKey: string
  issueLimits: IssueLimits
  /** Its issues are no news. */
  isPast?: true
  report(progress: Progress): void
  processRecord: ProcessRecord
  suspect: Suspect | null
  inProgress: RecordInProgress
  isStopping(): boolean
}

/** The batch that was being processed when an earlier thread ended, and the record if it is known. */
export type Suspect = { batch: number; record: LogPosition | null; why: SetAside['why'] }

/** What making and storing a plan needs. */
export const planContext = ({ control, stores, source }: LoopOptions) => ({
  control,
  telemetry: stores.telemetry,
  inboxId: source.inboxId,
})
