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
