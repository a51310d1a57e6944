import { type Config, loadConfig } from '#config.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import type { Command, Terminal } from './command.ts'
import { ensureTables, openTelemetryHere } from './open-stores.ts'

export const migrate: Command = {
  help: `Usage: hydrant migrate

Migrates the control database and the telemetry tables to this version. Every start does this too; use the command to
choose the time. SQLite is copied to control-backups first. Back up PostgreSQL and ClickHouse yourself.`,

  async run(args, terminal) {
    if (args.length > 0) {
      terminal.printError('hydrant migrate takes no options.')
      return 2
    }
    const config = loadConfig()
    try {
      const control = openControl(config)
      try {
        await migrateControlHere(control, config, terminal)
        const opened = await openTelemetryHere(config)
        try {
          terminal.print(`telemetry: ${describe(await ensureTables(config, control, opened))}`)
        } finally {
          await opened.close()
        }
      } finally {
        await control.close()
      }
      return 0
    } catch (error) {
      terminal.printError(error instanceof Error ? error.message : String(error))
      return 1
    }
  },
}

async function migrateControlHere(control: Control, { dataDir }: Config, terminal: Terminal): Promise<void> {
  const warn = (_fields: object, message: string) => terminal.printError(message)
  const { applied, backup } = await migrateControl(control, { dataDir, log: { info() {}, warn } })
  terminal.print(`control: ${describe(applied)}${backup ? `, backup in ${backup}` : ''}`)
}

function describe(applied: string[]): string {
  return applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`
}
