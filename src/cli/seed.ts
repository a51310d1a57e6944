import { type Config, loadConfig } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import { formatWhole } from '#lib/format-whole.ts'
import type { Control } from '#store/control/control.ts'
import { layoutOf } from '#store/telemetry/table-layout.ts'
import type { Command, Terminal } from './command.ts'
import { ensureTables, openMigratedControl, openTelemetryHere } from './open-stores.ts'
import { ensureShop } from './seed/ensure-shop.ts'
import { parseSeedOptions, type SeedOptions } from './seed/parse-seed-options.ts'
import { seedTelemetry } from './seed/seed-telemetry.ts'
import { describeRefusal } from './with-control.ts'

export const seed: Command = {
  help: `Usage: hydrant seed [--events 1000000] [--issues 2000] [--spans 10000000] [--logs 100000] [options]

Writes sample telemetry of a small shop for demos and benchmarks: errors with issues, traces and logs, with routes, releases,
browsers and users. Works whether or not Hydrant is running. Running it again adds more.

  --events <n>      errors (100000)
  --issues <n>      issues, a few frequent and many rare, at least 40 (one per 500 errors)
  --spans <n>       spans; approximate, since traces are complete (1000000)
  --logs <n>        logs (100000)
  --days <n>        time range, at most the retention (30)
  --users <n>       users who visited the shop (5000)
  --org <slug>      the organization, created if missing (demo)
  --project <slug>  the project, created if missing (shop)
  --seed <n>        random seed; the same number on the same day gives the same telemetry (1)`,

  async run(args, terminal) {
    const parsed = parseSeedOptions(args)
    if (!parsed.ok) {
      terminal.printError(`${parsed.message} See hydrant seed --help.`)
      return 2
    }
    const config = loadConfig()
    const keptDays = Math.min(config.retentionDays.errors, config.retentionDays.rest)
    if (parsed.options.days > keptDays) {
      terminal.printError(
        `Telemetry is kept for ${keptDays} days, so older rows would be deleted at once. Use --days ${keptDays} or less.`,
      )
      return 2
    }
    try {
      return await seedStores(config, parsed.options, terminal)
    } catch (error) {
      terminal.printError(error instanceof Error ? error.message : String(error))
      return 1
    }
  },
}

async function seedStores(config: Config, options: SeedOptions, terminal: Terminal): Promise<number> {
  const control = await openMigratedControl(config)
  try {
    const context: CommandContext = { db: control.db, actor: 'cli', now: Date.now }
    const shop = await ensureShop(context, options)
    if (!shop.ok) {
      terminal.printError(describeRefusal(shop.code))
      return 1
    }
    return await fillTelemetry(config, control, shop.projectId, options, terminal)
  } finally {
    await control.close()
  }
}

async function fillTelemetry(
  config: Config,
  control: Control,
  projectId: number,
  options: SeedOptions,
  terminal: Terminal,
): Promise<number> {
  const opened = await openTelemetryHere(config)
  try {
    await ensureTables(config, control, opened)
    const { retentionDays } = config
    const seeded = await seedTelemetry({
      control,
      telemetry: opened.telemetry,
      layout: layoutOf(config),
      projectId,
      options,
      retentionDays,
      nowMs: Date.now(),
    })
    const count = (value: number) => formatWhole(Math.round(value))
    terminal.print(
      `Wrote ${count(seeded.rows)} rows and ${seeded.issues} issues to ${options.organization}/${options.project} in ${seeded.seconds.toFixed(1)} s (${count(seeded.rows / seeded.seconds)} rows/s).`,
    )
    return 0
  } finally {
    await opened.close()
  }
}
