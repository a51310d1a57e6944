/** What the main process prints when it is ready and when it stops. */
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import type { Control } from '#store/control/control.ts'
import { loadSecret, setupCode } from '#store/control/secret.ts'

/** Prints the address and the next step: setup on a fresh installation, otherwise sign-in. */
export async function greet({
  config,
  control,
  log,
}: {
  config: Config
  control: Control
  log: Logger
}): Promise<void> {
  const address = config.publicUrl
  const users = await control.db.selectFrom('user').select('id').limit(1).execute()
  const nextStep =
    users.length === 0
      ? `Open ${address}/setup?code=${setupCode(loadSecret(config))} to create the owner and the first project.`
      : `Open ${address} and sign in.`
  log.info({ address }, 'ready')
  if (process.stdout.isTTY)
    process.stdout.write(
      `\n  Hydrant is running at ${address}\n  ${nextStep}\n  Press Ctrl-C to stop. Data stays in ${config.dataDir}\n\n`,
    )
  else log.info(nextStep)
}

/** npm forwards a terminal's Ctrl-C to a process that already received it: two signals within this time are one key press. */
const sameKeyPressMs = 700

/** The first Ctrl-C drains and exits; a second one exits at once. */
export function onStopSignal({ log, stop }: { log: Logger; stop(): Promise<void> }): void {
  let firstAt = 0
  function handleSignal(signal: NodeJS.Signals): void {
    const now = performance.now()
    if (firstAt > 0) {
      if (now - firstAt > sameKeyPressMs) process.exit(130)
      return
    }
    firstAt = now
    log.info({ signal }, 'stopping: finishing accepted events (press Ctrl-C again to stop at once)')
    stop().then(
      () => process.exit(0),
      error => {
        log.error({ error: String(error) }, 'stop failed; accepted events are safe in the inbox')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', handleSignal)
  process.on('SIGTERM', handleSignal)
}
