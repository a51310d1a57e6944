/** The first Ctrl-C drains and exits; a second one exits at once. */
import type { Logger } from 'pino'

/** npm passes a terminal's Ctrl-C on to a process that has had it already: two within this time are one. */
const sameKeyPressMs = 700

export function onStopSignal({ log, stop }: { log: Logger; stop(): Promise<void> }): void {
  let firstAt = 0
  function hear(signal: NodeJS.Signals): void {
    const now = performance.now()
    if (firstAt > 0) {
      if (now - firstAt > sameKeyPressMs) process.exit(130)
      return
    }
    firstAt = now
    log.info({ signal }, 'stopping: what has been accepted is being finished (once more to stop at once)')
    stop().then(
      () => process.exit(0),
      error => {
        log.error({ error: String(error) }, 'stopping went wrong; what was accepted is safe in the inbox')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', hear)
  process.on('SIGTERM', hear)
}
