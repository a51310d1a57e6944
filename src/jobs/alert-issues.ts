/** Turns changes of issues into messages, on one node at a time: after each commit of digest here, and every moment. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import {
  type AlertOptions,
  alertEveryMs,
  alertOnChanges,
  flushDueBursts,
  hasAlertWork,
} from '#domain/alerts/alert-on-changes.ts'
import { closeEndedPages, closePagesEveryMs } from '#domain/alerts/close-pages.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { endLease, holdLease, type Lease } from './job-lease.ts'
import { type PollLoop, startPollLoop } from './poll-loop.ts'

type Options = {
  control: Control
  telemetry: Telemetry
  /** Whether the server can send mail: then members get some without any rule. */
  hasMail: boolean
  log: Pick<Logger, 'warn'>
  /** Called when there may be something to deliver. */
  onSent?(): void
}

const retryMs = 5_000
/** Only so that nodes do not do the same work at once: cursor and messages move together, so two of them do no harm. */
const leaseMs = 15_000

export function startAlertJob({ control, telemetry, hasMail, log, onSent }: Options): PollLoop {
  const options: AlertOptions = { stores: { control, telemetry }, enqueue, now: Date.now, hasMail }
  const { db } = control
  const lease: Lease = { name: 'alerts', holder: randomUUID() }
  let isHeld = false
  let closePagesAt = 0
  /** Takes at most a twentieth of the time, no matter how many pages are open. */
  const closePages = async () => {
    // Monotonic, because the wall clock can jump.
    const begun = performance.now()
    if (begun < closePagesAt) return
    const closed = await closeEndedPages(options)
    const ended = performance.now()
    closePagesAt = ended + Math.max(closePagesEveryMs, 20 * (ended - begun))
    if (closed > 0) onSent?.()
  }
  const loop = startPollLoop({
    pollMs: alertEveryMs,
    retryMs,
    run: async () => {
      // Changes are handled first: the message of a rule says more about an end than its page.
      if (!(await hasAlertWork(options))) return closePages()
      isHeld = await holdLease(db, lease, Date.now(), leaseMs)
      if (!isHeld) return
      await alertOnChanges(options)
      await flushDueBursts(options)
      await closePages()
      onSent?.()
    },
    onError: error => log.warn({ error: String(error) }, 'alerts could not be evaluated; trying again'),
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      if (isHeld) await endLease(db, lease)
    },
  }
}
