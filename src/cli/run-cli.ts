import type { Terminal } from './command.ts'
import { commands } from './commands.ts'

/** `runCli(['init', '--org', 'acme'], terminal)` gives the exit code. */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  const [word, ...rest] = args
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    terminal.print(overview())
    return word === undefined ? 2 : 0
  }
  const entry = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (entry === undefined) {
    terminal.complain(`There is no command ${JSON.stringify(word)}; hydrant --help lists them.`)
    return 2
  }
  const command = await entry.load()
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.print(command.help)
    return 0
  }
  return command.run(rest, terminal)
}

function overview(): string {
  const rows = Object.entries(commands).map(([word, { summary }]) => `  ${word.padEnd(9)} ${summary}`)
  return `Hydrant: error and performance monitoring for server-rendered React apps.

Usage: hydrant <command> [options]

${rows.join('\n')}

hydrant <command> --help says more. Settings come from the environment: PORT, HYDRANT_URL, HYDRANT_DATA_DIR,
DATABASE_URL, CLICKHOUSE_URL and others; hydrant doctor checks them.`
}
