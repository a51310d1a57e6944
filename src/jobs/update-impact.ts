/** Scores the impact of issues once a minute, on one node at a time. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { type KnownUsers, updateImpact } from '#domain/issues/impact/update-impact.ts'
import type { Control } from '#store/control/control.ts'
import { endLease, holdLease, type Lease } from './job-lease.ts'
import { type PollLoop, startPollLoop } from './poll-loop.ts'

type Options = { control: Control; log: Pick<Logger, 'warn'> }

/** Not a job of the queue: its times are those of the clock, and one that was ahead would leave a day without runs. */
const everyMs = 60_000
/** Longer than the pause, so that the node that has begun goes on: it knows the users of most issues. */
const leaseMs = 90_000

export function startImpactJob({ control, log }: Options): PollLoop {
  const lease: Lease = { name: 'issue_impact', holder: randomUUID() }
  const known: KnownUsers = new Map()
  let isStopping = false
  let isHeld = false
  const hold = async (): Promise<boolean> => {
    isHeld = !isStopping && (await holdLease(control.db, lease, Date.now(), leaseMs))
    return isHeld
  }
  const loop = startPollLoop({
    pollMs: everyMs,
    retryMs: everyMs,
    run: async () => {
      if (await hold()) await updateImpact(control, { known, now: Date.now(), mayGoOn: hold })
    },
    onError: error => log.warn({ error: String(error) }, 'the impact of issues could not be updated; trying again'),
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
