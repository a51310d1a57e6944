/** After a clock was ahead, what it has scheduled must not wait until then. */
import type { Logger } from 'pino'
import type { Control } from '#store/control/control.ts'
import { correctDueTimes } from '#store/control/due-times.ts'
import { type PollLoop, startPollLoop } from './poll-loop.ts'

const everyMs = 5_000

export function startTimeCorrection({ control, log }: { control: Control; log: Pick<Logger, 'warn'> }): PollLoop {
  return startPollLoop({
    pollMs: everyMs,
    retryMs: everyMs,
    run: async () => {
      const rows = await correctDueTimes(control, Date.now())
      if (rows > 0) log.warn({ rows }, 'the clock was ahead; what it had scheduled for later is due now')
    },
    onError: error => log.warn({ error: String(error) }, 'times could not be checked; trying again'),
  })
}
