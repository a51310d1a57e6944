/** What the command line needs of a terminal; standard output is for results alone, so that it can be piped. */
export type Terminal = {
  print(text: string): void
  complain(text: string): void
  readInput(): Promise<string>
}

/** One word after `hydrant`. Gives the exit code: 0 done, 1 could not, 2 wrong usage. */
export type Command = {
  help: string
  run(args: string[], terminal: Terminal): Promise<number>
}

export type CommandEntry = { summary: string; load(): Promise<Command> }

/** `--password -` takes the first line of standard input: an argument is seen by everybody who lists processes. */
export async function readPassword(given: string | undefined, terminal: Terminal): Promise<string | undefined> {
  if (given !== '-') return given
  const [line = ''] = (await terminal.readInput()).split('\n')
  return line.replace(/\r$/, '')
}
