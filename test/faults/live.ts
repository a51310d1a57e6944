import pino from 'pino'
import { readCursor } from '#digest/cursor.ts'
import { runDigestLoop } from '#digest/digest-loop.ts'
import type { Suspect } from '#digest/loop-options.ts'
import { processRecord } from '#digest/process-record.ts'
import { createRecordInProgress } from '#digest/record-in-progress.ts'
import { noIssueLimits } from '#domain/issues/counters/issue-quota.ts'
import { readEnd } from '#inbox/segment-ends.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { planMemory } from '#supervisor/memory-plan.ts'
import { openSymbolicator } from '#symbolication/open-symbolicator.ts'
import { createGate, type Fault, gatedBlobs, gatedControl, gatedTelemetry } from './gate.ts'
import type { Stage } from './open-stage.ts'
import type { Scene } from './set-scene.ts'

/** Ends the run that processes a batch with the poisonous record. */
type Poison = { suspect: Suspect | null; endsThread(batch: number): boolean } | null

type Life = { fault?: Fault; poison?: Poison; retentionDays?: { errors: number; rest: number } }

const log = pino({ level: 'silent' })

/** Runs the loop until it has committed everything or ended at its fault. Returns the steps it took. */
export async function live(
  { dataDir, control, telemetry }: Stage,
  { folder, inbox }: Scene,
  { fault = null, poison = null, retentionDays = { errors: 90, rest: 30 } }: Life = {},
): Promise<string[]> {
  const gate = createGate(fault)
  const end = readEnd(inbox.end)
  const cursor = await readCursor(control, inbox.id)
  let isDone = cursor.segment === end.segment && cursor.position === end.position
  const loop = runDigestLoop({
    source: { folder, inboxId: inbox.id, retentionDays },
    end: inbox.end,
    bound: { ...planMemory(Number.POSITIVE_INFINITY, 'native').batch, maxFiles: 1 }, // a batch for each file of the scene
    control: gatedControl(control, gate),
    stores: {
      telemetry: gatedTelemetry(telemetry, gate),
      blobs: gatedBlobs(openBlobs({ dataDir, blobsUrl: undefined }), gate),
      retentionDays: retentionDays.rest,
    },
    symbolicator: openSymbolicator(openBlobs({ dataDir })),
    log,
    report: progress => {
      if (progress.kind === 'processing' && poison?.endsThread(progress.batch)) {
        void gate.die()
        throw new Error('the thread ended')
      }
      if (progress.kind !== 'committed') return
      const { seal } = progress.prepared
      isDone = seal.endSegment === end.segment && seal.end === end.position
    },
    processRecord: processRecord,
    suspect: poison?.suspect ?? null,
    inProgress: createRecordInProgress(),
    scrubKey: 'key',
    issueLimits: noIssueLimits,
    isStopping: () => isDone,
  })
  await Promise.race([loop, gate.died])
  return gate.steps
}
