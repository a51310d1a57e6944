/** Judges each minute, on one node at a time, and reports how far this node has digested. */
import type { Logger } from 'pino'
import { evaluateMinutes } from '#domain/alerts/evaluate-minute.ts'
import { reportClock, reportStop } from '#domain/alerts/minute-clock.ts'
import { judgeOperator, type OperatorFacts } from '#domain/alerts/operator.ts'
import { createUptime } from '#domain/alerts/pauses.ts'
import { watchChannels } from '#domain/alerts/watch-channels.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { startPollLoop } from './poll-loop.ts'
import type { JobHandler } from './run-jobs.ts'

export type { OperatorFacts }

type Stores = { control: Control; telemetry: Telemetry }

/** More often than a minute, so that a minute is judged soon after it has been digested. */
const everyMs = 10_000

export const minuteHandler = (stores: Stores, onSent: () => void): JobHandler => ({
  everyMs,
  run: async () => {
    if ((await evaluateMinutes({ stores, enqueue, now: Date.now })) > 0) onSent()
  },
})

/** The detectors of the installation, with what this node knows about itself. */
export const operatorHandler = (stores: Stores, readFacts: () => Promise<OperatorFacts>): JobHandler => ({
  everyMs: 60_000,
  run: async () => judgeOperator({ stores, enqueue, now: Date.now }, await readFacts()),
})

/** The detectors of the delivery of each organization. */
export const channelsHandler = ({ control: { db } }: Stores, hasMail: boolean): JobHandler => ({
  everyMs: 60_000,
  run: () => watchChannels({ db, enqueue, now: Date.now, hasMail }),
})

type ClockOptions = {
  control: Control
  inboxId: string
  /** How long the oldest record has waited in the inbox; NaN while that is unknown. */
  oldestSeconds(now: number): number
  /** When this process began to accept data. */
  acceptingSince: number
  log: Pick<Logger, 'warn'>
}
const reportEveryMs = 5_000

export type ClockReports = {
  /** Ends the reports. */
  stop(): Promise<void>
  /** The node ends, and its inbox is empty. */
  close(): Promise<void>
}

export function startClockReports({
  control,
  inboxId,
  oldestSeconds,
  acceptingSince,
  log,
}: ClockOptions): ClockReports {
  const readUptime = createUptime(acceptingSince)
  const loop = startPollLoop({
    pollMs: reportEveryMs,
    retryMs: reportEveryMs,
    run: async () => {
      const now = Date.now()
      const aliveSince = readUptime(now)
      const waited = oldestSeconds(now)
      if (!Number.isNaN(waited)) await reportClock(control, inboxId, Math.floor(now - waited * 1_000), now, aliveSince)
    },
    onError: error => log.warn({ error: String(error) }, 'the clock of alerts could not be reported; trying again'),
  })
  return {
    stop: () => loop.stop(),
    close: async () => {
      await reportStop(control, inboxId, Date.now()).catch(error =>
        log.warn({ error: String(error) }, 'the end of this node could not be reported'),
      )
    },
  }
}
