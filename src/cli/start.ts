import { join } from 'node:path'
import type { Command } from './command.ts'

const main = join(import.meta.dirname, '..', 'main.ts')

/** Becomes the server instead of standing in front of it: a signal reaches it directly, and there is one process less. */
export const start: Command = {
  help: `Usage: hydrant start

Runs Hydrant here until Ctrl-C. The address is HYDRANT_URL, or http://localhost:8000 with PORT changed to taste;
the data is in HYDRANT_DATA_DIR (./data).`,
  async run(args, terminal) {
    if (args.length > 0) {
      terminal.complain(`hydrant start takes no options: ${args[0]} is a setting of the environment, if anything.`)
      return 2
    }
    process.execve?.(process.execPath, [process.execPath, '--disable-warning=ExperimentalWarning', main])
    terminal.complain('This system cannot start Hydrant in place; use npm start.')
    return 1
  },
}
