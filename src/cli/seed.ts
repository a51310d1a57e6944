import { type Config, loadConfig } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { Control } from '#store/control/control.ts'
import { layoutOf } from '#store/telemetry/table-layout.ts'
import type { Command, Terminal } from './command.ts'
import { ensureTables, openMigratedControl, openTelemetryHere } from './open-stores.ts'
import { ensureShop } from './seed/ensure-shop.ts'
import { parseSeedOptions, type SeedOptions } from './seed/parse-seed-options.ts'
import { seedTelemetry } from './seed/seed-telemetry.ts'
import { refusalSentence } from './with-control.ts'

export const seed: Command = {
  help: `Usage: hydrant seed [--events 1000000] [--issues 2000] [--spans 10000000] [--logs 100000] [options]

Writes plausible telemetry of a small shop into the stores: errors and their issues, traces, log lines, with routes, releases,
browsers and users. For demos and for benchmarks. It works while Hydrant runs and while it does not; running it again adds more.

  --events <n>      errors (100000)
  --issues <n>      kinds of errors, a few frequent and many rare; never fewer than the shop's own 27 (one per 500 errors)
  --spans <n>       spans, as whole traces, so a few more or less (1000000)
  --logs <n>        log lines (100000)
  --days <n>        how far back, at most as long as telemetry is kept (30)
  --users <n>       how many people visited (5000)
  --org <slug>      the organization, made where it is missing (demo)
  --project <slug>  the project, made where it is missing (shop)
  --seed <n>        the same number gives the same telemetry on the same day (1)`,

  async run(args, terminal) {
    const parsed = parseSeedOptions(args)
    if (!parsed.ok) {
      terminal.complain(`${parsed.message} See hydrant seed --help.`)
      return 2
    }
    const config = loadConfig()
    const keptDays = Math.min(config.retentionDays.errors, config.retentionDays.rest)
    if (parsed.options.days > keptDays) {
      terminal.complain(
        `Telemetry is kept for ${keptDays} days; older rows would be dropped at once. Use --days ${keptDays} or less.`,
      )
      return 2
    }
    try {
      return await sow(config, parsed.options, terminal)
    } catch (error) {
      terminal.complain(error instanceof Error ? error.message : String(error))
      return 1
    }
  },
}

async function sow(config: Config, options: SeedOptions, terminal: Terminal): Promise<number> {
  const control = await openMigratedControl(config)
  try {
    const context: CommandContext = { db: control.db, actor: 'cli', now: Date.now }
    const shop = await ensureShop(context, options)
    if (!shop.ok) {
      terminal.complain(refusalSentence(shop.code))
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
    const sown = await seedTelemetry({
      control,
      telemetry: opened.telemetry,
      layout: layoutOf(config),
      projectId,
      options,
      retentionDays,
      nowMs: Date.now(),
    })
    const count = (value: number) => Math.round(value).toLocaleString('en-US')
    terminal.print(
      `${count(sown.rows)} rows and ${sown.issues} issues in ${options.organization}/${options.project}, in ${sown.seconds.toFixed(1)} s (${count(sown.rows / sown.seconds)} rows/s).`,
    )
    return 0
  } finally {
    await opened.close()
  }
}
