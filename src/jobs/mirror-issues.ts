/** Keeps the mirror of issue states in telemetry up to date, on one node at a time: after each commit of digest here, and every moment. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { catchUpMirror, isAheadOfLog, isMirrorBehind, requestSweep } from '#domain/issues/mirror/write-mirror.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { endLease, holdLease, type Lease } from './job-lease.ts'
import { type PollLoop, startPollLoop } from './poll-loop.ts'

type Options = { control: Control; telemetry: Telemetry; log: Pick<Logger, 'info' | 'warn'> }

/** Reads do not wait for the mirror, they overlay what it lacks: late costs a little, not correctness. */
const pollMs = 500
const retryMs = 5_000
/** Short: another node should take over soon from one that was killed. Two writers at once do no harm. */
const leaseMs = 15_000

export function startMirrorJob({ control, telemetry, log }: Options): PollLoop {
  const lease: Lease = { name: 'issue_mirror', holder: randomUUID() }
  let isStopping = false
  let isChecked = false
  let isHeld = false

  const hold = async (): Promise<boolean> => {
    isHeld = !isStopping && (await holdLease(control.db, lease, Date.now(), leaseMs))
    return isHeld
  }

  async function runRound(): Promise<void> {
    if (!isChecked && (await isAheadOfLog({ control, telemetry }))) {
      log.warn({}, 'telemetry has newer issue states than the control database; writing all of them again')
      await requestSweep(control)
    }
    isChecked = true
    if (!(await isMirrorBehind(control)) || !(await hold())) return
    await catchUpMirror({ control, telemetry }, { now: Date.now, mayGoOn: hold })
  }

  const loop = startPollLoop({
    run: runRound,
    pollMs,
    retryMs,
    onError: error =>
      log.warn({ error: String(error) }, 'issue states could not be mirrored in telemetry; trying again'),
  })
  return {
    wake: loop.wake,
    stop: async () => {
      isStopping = true
      await loop.stop()
      if (isHeld) await endLease(control.db, lease)
    },
  }
}
