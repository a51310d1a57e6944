import { join } from 'node:path'
import type { Command } from './command.ts'

const main = join(import.meta.dirname, '..', 'main.ts')

/** Replaces this process by the server (execve), so that signals reach the server directly. */
export const start: Command = {
  help: `Usage: hydrant start

Runs Hydrant in this terminal until Ctrl-C, at http://localhost:8000. Set PORT or HYDRANT_URL for another address, and
HYDRANT_DATA_DIR for another data folder than ./data.`,
  async run(args, terminal) {
    if (args.length > 0) {
      terminal.printError(`hydrant start takes no options, but got ${args[0]}. Settings are environment variables.`)
      return 2
    }
    process.execve?.(process.execPath, [process.execPath, '--disable-warning=ExperimentalWarning', main])
    terminal.printError('hydrant start does not work on this system. Use npm start.')
    return 1
  },
}
