import type { CommandContext } from '#commands/command-context.ts'
import { type Config, loadConfig } from '#config.ts'
import type { Terminal } from './command.ts'
import { openMigratedControl } from './open-migrated-control.ts'

type Work = (context: CommandContext, config: Config) => Promise<number>

/** Opens the control database for one command and closes it again; a fault becomes one sentence and exit code 1. */
export async function withControl(terminal: Terminal, work: Work): Promise<number> {
  const config = loadConfig()
  try {
    const control = await openMigratedControl(config)
    try {
      return await work({ db: control.db, actor: 'cli', now: Date.now }, config)
    } finally {
      await control.close()
    }
  } catch (error) {
    terminal.complain(error instanceof Error ? describe(error) : String(error))
    return 1
  }
}

/** A refused connection is an AggregateError without words of its own. */
function describe(error: Error): string {
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
  return cause.message
}
