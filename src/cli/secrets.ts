import { rotateSecrets } from '#store/control/encrypted-secret.ts'
import { loadSecret } from '#store/control/secret.ts'
import { type Command, readPassword } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { withControl } from './with-control.ts'

export const secrets: Command = {
  help: `Usage: hydrant secrets rotate [--old-secret -]

Encrypts all stored secrets, such as the URLs and tokens of channels, with a new key. Hydrant may be running.

After HYDRANT_SECRET was changed, pass the old one with --old-secret - on standard input. Until then, channels whose secret
can't be read don't deliver.`,

  async run([verb, ...args], terminal) {
    const parsed = parseOptions(args, { 'old-secret': { type: 'string' } } as const)
    if (verb !== 'rotate' || !parsed.ok) {
      terminal.printError(`${parsed.ok ? 'Use hydrant secrets rotate.' : parsed.message} See hydrant secrets --help.`)
      return 2
    }
    const oldSecret = await readPassword(parsed.values['old-secret'], terminal)
    return withControl(terminal, async ({ db, now }, config) => {
      const installationSecret = loadSecret(config)
      const { rotated, lost } = await db
        .transaction()
        .execute(trx => rotateSecrets(trx, { installationSecret, oldSecret, now: now() }))
      terminal.print(`Encrypted ${rotated} ${rotated === 1 ? 'secret' : 'secrets'} with a new key.`)
      if (lost === 0) return 0
      terminal.printError(
        `${lost} can't be read with this secret. Pass the old one with --old-secret -, or enter them again on the channels page.`,
      )
      return 1
    })
  },
}
