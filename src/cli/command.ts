import { findLengthFault, findPasswordFault, type PasswordOwner } from '#domain/sign-in/password-rules.ts'

/** `print` writes to standard output, which holds only results so that it can be piped; `printError` to standard error. */
export type Terminal = {
  print(text: string): void
  printError(text: string): void
  readInput(): Promise<string>
}

/** A subcommand of `hydrant`. `run` returns the exit code: 0 success, 1 failure, 2 wrong usage. */
export type Command = {
  help: string
  run(args: string[], terminal: Terminal): Promise<number>
}

export type CommandEntry = { summary: string; load(): Promise<Command> }

/** The operator may choose any password, so that scripts keep working; the pages refuse weak ones. */
export function warnOfPassword(password: string | undefined, owner: PasswordOwner, terminal: Terminal): void {
  if (password === undefined || findLengthFault(password) !== null || findPasswordFault(password, owner) === null)
    return
  terminal.printError('Warning: others would guess this password early. Change it on the account page.')
}

/** `--password -` reads the first line of standard input: an argument is visible in the process list. */
export async function readPassword(given: string | undefined, terminal: Terminal): Promise<string | undefined> {
  if (given !== '-') return given
  const [line = ''] = (await terminal.readInput()).split('\n')
  return line.replace(/\r$/, '')
}
