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
import { buildMessage } from '#domain/alerts/build-message.ts'
import type { BuildMessage } from '#domain/channels/delivery/attempt-message.ts'
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

/** For the delivery job: a message of the outbox as channels show it. */
export const messageBuilder =
  (stores: { control: Control; telemetry: Telemetry }, publicUrl: string): BuildMessage =>
  row =>
    buildMessage(stores, publicUrl, row)

const retryMs = 5_000
/** Only so that nodes do not do the same work at once: cursor and messages move together, so two of them do no harm. */
const leaseMs = 15_000

export function startAlertJob({ control, telemetry, hasMail, log, onSent }: Options): PollLoop {
  const options: AlertOptions = { stores: { control, telemetry }, enqueue, now: Date.now, hasMail }
  const { db } = control
  const lease: Lease = { name: 'alerts', holder: randomUUID() }
  let isHeld = false
  const loop = startPollLoop({
    pollMs: alertEveryMs,
    retryMs,
    run: async () => {
      if (!(await hasAlertWork(options))) return
      isHeld = await holdLease(db, lease, Date.now(), leaseMs)
      if (!isHeld) return
      await alertOnChanges(options)
      await flushDueBursts(options)
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
