/** The last line of a start: where Hydrant is, and what to do next. */
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import type { Control } from '#store/control/control.ts'
import { loadSecret } from '#store/control/secret.ts'
import { setupCode } from '#store/control/setup-code.ts'

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
  const people = await control.db.selectFrom('user').select('id').limit(1).execute()
  const nextStep =
    people.length === 0
      ? `Open ${address}/setup?code=${setupCode(loadSecret(config))} to create the owner and the first project.`
      : `Open ${address} and sign in.`
  log.info({ address }, 'ready')
  if (process.stdout.isTTY)
    process.stdout.write(
      `\n  Hydrant is running at ${address}\n  ${nextStep}\n  Ctrl-C stops it; data stays in ${config.dataDir}\n\n`,
    )
  else log.info(nextStep)
}
