import { loadConfig } from '#config.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import type { Command, Terminal } from './command.ts'
import { openTelemetryHere } from './open-telemetry-here.ts'

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
      await migrateControlHere(config, terminal)
      const { telemetry, close } = await openTelemetryHere(config)
      try {
        const cluster = config.clickhouseCluster
        const applied = await migrateTelemetry(telemetry, cluster ? { kind: 'cluster', cluster } : { kind: 'single' })
        terminal.print(`telemetry: ${describe(applied)}`)
      } finally {
        await close()
      }
      return 0
    } catch (error) {
      terminal.complain(error instanceof Error ? error.message : String(error))
      return 1
    }
  },
}

async function migrateControlHere(config: ReturnType<typeof loadConfig>, terminal: Terminal): Promise<void> {
  const control = openControl(config)
  const warn = (_fields: object, message: string) => terminal.complain(message)
  try {
    const { applied, backup } = await migrateControl(control, { dataDir: config.dataDir, log: { info() {}, warn } })
    terminal.print(`control: ${describe(applied)}${backup ? `, copy in ${backup}` : ''}`)
  } finally {
    await control.close()
  }
}

function describe(applied: string[]): string {
  return applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`
}
