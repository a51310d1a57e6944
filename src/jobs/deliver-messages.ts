/** Delivers the outbox. Every node may run it: a lease per message keeps them apart, and what a killed one held is sent by the next. */

import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DeliveryContext } from '#domain/channels/delivery/attempt-message.ts'
import { type ClaimedChannel, claimMessages } from '#domain/channels/delivery/claim-messages.ts'
import { deliverBatch } from '#domain/channels/delivery/deliver-batch.ts'
import { readOutboxDepth } from '#domain/channels/delivery/outbox-depth.ts'
import { foldOverflow } from '#domain/channels/delivery/summaries.ts'
import { clipText } from '#lib/text.ts'
import type { HydrantMetrics } from '#metrics.ts'

type Options = Omit<DeliveryContext, 'holder' | 'now'> & {
  metrics: Pick<
    HydrantMetrics,
    'deliveries' | 'deliverySeconds' | 'outboxMessages' | 'outboxOldestSeconds' | 'channels' | 'alertsHeld'
  >
  log: Pick<Logger, 'info' | 'warn'>
  now?: () => number
  random?: () => number
  pollMs?: number
}
export type DeliveryJob = {
  /** Something was enqueued here: look at once. */
  wake(): void
  /** Ends after the attempts that are under way. */
  stop(): Promise<void>
}

const usualPollMs = 1_000
const retryMs = 5_000
/** Folding what is too much for a channel, and counting what waits. */
const surveyEveryMs = 5_000

export function startDeliveryJob({
  metrics,
  log,
  now = Date.now,
  random = Math.random,
  pollMs = usualPollMs,
  ...options
}: Options): DeliveryJob {
  const context: DeliveryContext = { ...options, holder: randomUUID(), now }
  const { db } = options.control
  /** What runs now, by channel: messages of a channel go one after the other. */
  const running = new Map<number, { isFailing: boolean; work: Promise<void> }>()
  let isStopping = false
  let isWoken = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | null = null
  let surveyedAt = 0

  async function deliverAll({ rows }: ClaimedChannel): Promise<void> {
    await deliverBatch(
      {
        ...context,
        random,
        onAttempt: (row, { kind, attempt }) => {
          metrics.deliveries.inc({ kind, outcome: attempt.outcome })
          metrics.deliverySeconds.inc({ kind }, attempt.latencyMs / 1_000)
          if (attempt.outcome !== 'sent')
            log.info({ message: row.id, channel: row.channelId, ...outcomeOf(attempt) }, 'message not delivered')
        },
      },
      rows,
    )
  }

  async function runRound(): Promise<void> {
    // The clock may have been set back since.
    if (Math.abs(now() - surveyedAt) >= surveyEveryMs) {
      surveyedAt = now()
      await foldOverflow(db, now())
      const { queued, dead, oldestSeconds, held, channels } = await readOutboxDepth(db, now())
      metrics.outboxMessages.set(queued, { state: 'queued' })
      metrics.outboxMessages.set(dead, { state: 'dead' })
      metrics.outboxOldestSeconds.set(oldestSeconds)
      metrics.alertsHeld.set(held)
      for (const [state, count] of Object.entries(channels)) metrics.channels.set(count, { state })
    }
    for (const channel of await claimMessages(db, { holder: context.holder, now: now(), busyChannels: running })) {
      const { id, isFailing } = channel
      const work = deliverAll(channel)
        .catch(error => log.warn({ error: String(error), channel: id }, 'delivery failed; it is tried again'))
        .finally(() => {
          running.delete(id)
          next(0)
        })
      running.set(id, { isFailing, work })
    }
  }

  function next(afterMs: number): void {
    if (isStopping) return
    if (round !== null) {
      isWoken ||= afterMs === 0
      return
    }
    clearTimeout(timer)
    timer = setTimeout(run, afterMs)
    timer.unref()
  }

  function run(): void {
    isWoken = false
    round = runRound()
      .then(() => pollMs)
      .catch(error => {
        log.warn({ error: String(error) }, 'the outbox could not be read; trying again')
        return retryMs
      })
      .then(pauseMs => {
        round = null
        next(isWoken ? 0 : pauseMs)
      })
  }

  next(0)
  return {
    wake: () => next(0),
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await round
      await Promise.all([...running.values()].map(({ work }) => work))
    },
  }
}

const outcomeOf = ({ outcome, status, response }: { outcome: string; status: number | null; response: string }) => ({
  outcome,
  status,
  response: clipText(response, 200),
})
