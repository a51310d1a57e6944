import type { Terminal } from './command.ts'

/** `--password -` takes the first line of standard input: an argument is seen by everybody who lists processes. */
export async function readPassword(given: string | undefined, terminal: Terminal): Promise<string | undefined> {
  if (given !== '-') return given
  const [line = ''] = (await terminal.readInput()).split('\n')
  return line.replace(/\r$/, '')
}
