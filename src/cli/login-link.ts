import { createLoginLink, linkMinutes } from '#domain/sign-in/login-link.ts'
import type { Command } from './command.ts'
import { describeRefusal, withControl } from './with-control.ts'

const reset = '--reset-two-factor'

export const loginLink: Command = {
  help: `Usage: hydrant login-link you@acme.dev [${reset}]

Prints a link that signs in as this user. It works once, within ${linkMinutes} minutes, and is in the audit log. The account page
then takes a new password without the old one. The first link of an account whose address nobody has verified ends
everything that signed in before, because somebody else may have made the account. A second factor is still asked for,
unless ${reset} ends it: the authenticator app, its recovery codes and all passkeys, and with
them the password, all sessions, trusted browsers and personal tokens.`,

  async run(args, terminal) {
    const [email, ...rest] = args.filter(arg => arg !== reset)
    if (email === undefined || rest.length > 0 || email.startsWith('-')) {
      terminal.printError('Pass one email address. See hydrant login-link --help.')
      return 2
    }
    return withControl(terminal, async (context, config) => {
      const result = await createLoginLink(context, { email, resetsTwoFactor: args.includes(reset) })
      if (!result.ok) {
        terminal.printError(describeRefusal(result.code))
        return 1
      }
      terminal.print(`${config.publicUrl}${result.path}`)
      return 0
    })
  },
}
