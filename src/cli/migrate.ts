import { type Config, loadConfig } from '#config.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import type { Command, Terminal } from './command.ts'
import { ensureTables, openTelemetryHere } from './open-stores.ts'

export const migrate: Command = {
  help: `Usage: hydrant migrate

Brings the control database and the telemetry tables up to this version. Every start does the same; this is for doing
it at a time of your own choosing. SQLite is copied to control-backups first; copy PostgreSQL and ClickHouse yourself.`,

  async run(args, terminal) {
    if (args.length > 0) {
      terminal.complain('hydrant migrate takes no options.')
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
      terminal.complain(error instanceof Error ? error.message : String(error))
      return 1
    }
  },
}

async function migrateControlHere(control: Control, { dataDir }: Config, terminal: Terminal): Promise<void> {
  const warn = (_fields: object, message: string) => terminal.complain(message)
  const { applied, backup } = await migrateControl(control, { dataDir, log: { info() {}, warn } })
  terminal.print(`control: ${describe(applied)}${backup ? `, copy in ${backup}` : ''}`)
}

function describe(applied: string[]): string {
  return applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`
}
