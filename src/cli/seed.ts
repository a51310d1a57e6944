import pino from 'pino'
import { type Config, loadConfig } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import { formatWhole } from '#lib/format-whole.ts'
import type { Control } from '#store/control/control.ts'
import { layoutOf } from '#store/telemetry/table-layout.ts'
import type { Command, Terminal } from './command.ts'
import { ensureTables, openMigratedControl, openTelemetryHere } from './open-stores.ts'
import { readCaptures } from './seed/captures/capture-file.ts'
import { digestVisits } from './seed/captures/digest-visits.ts'
import { planVisits } from './seed/captures/plan-visits.ts'
import { ensureShop } from './seed/ensure-shop.ts'
import { parseSeedOptions, type SeedOptions } from './seed/parse-seed-options.ts'
import { type SeededTelemetry, seedTelemetry } from './seed/seed-telemetry.ts'
import { describeRefusal } from './with-control.ts'

export const seed: Command = {
  help: `Usage: hydrant seed [--quick] [--events 1000000] [--issues 2000] [--spans 10000000] [--logs 100000] [options]

Writes sample telemetry of a small shop for demos and benchmarks: errors with issues, traces and logs, with routes, releases,
browsers and users, and recorded visits with replays, profiles and feedback. Prints the address to open. Works whether or not
Hydrant is running. Running it again adds more.

  --quick           ten days with 1000 errors, in seconds
  --events <n>      errors (100000)
  --issues <n>      at most so many issues, a few frequent and many rare (one per 500 errors, at least each kind once)
  --spans <n>       spans; approximate, since traces are complete (10 per error)
  --logs <n>        logs (1 per error)
  --days <n>        time range, at most the retention (30)
  --users <n>       users who visited the shop (1 per 20 errors, from 20 to 5000)
  --org <slug>      the organization (the only one). A new one gets the owners of the only other one
  --project <slug>  the project, created if missing (shop)
  --seed <n>        random seed; the same number on the same day gives the same telemetry (1)

Ctrl-C removes the rows that were written so far, so that you can simply run it again. If the process is killed, its rows stay, and Hydrant
counts them within a day. To remove all seeded data, delete the project on the projects page.`,

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
        `Telemetry is kept for ${keptDays} days, so older rows would be deleted immediately. Use --days ${keptDays} or less.`,
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

/** Standard output holds only results. */
const log = pino({ level: 'error', base: { room: 'digest' } }, pino.destination({ dest: 2, sync: true }))

async function seedStores(config: Config, options: SeedOptions, terminal: Terminal): Promise<number> {
  const control = await openMigratedControl(config)
  try {
    const context: CommandContext = { db: control.db, actor: 'cli', now: Date.now }
    const shop = await ensureShop(context, options)
    if (!shop.ok) {
      terminal.printError(describeRefusal(shop.code))
      return 1
    }
    const { organization, project } = shop
    const seeded = await fillTelemetry(config, control, shop.projectId, options)
    const count = (value: number) => formatWhole(Math.round(value))
    terminal.print(
      `Wrote ${count(seeded.rows)} rows and ${seeded.issues} issues to ${organization}/${project} in ${seeded.seconds.toFixed(1)} s (${count(seeded.rows / seeded.seconds)} rows/s).`,
    )
    terminal.print(`Open ${config.publicUrl}/${organization}/issues?project=${project}`)
    if (!shop.hasMembers)
      terminal.printError(
        `It has no members yet. Add an owner: hydrant user add --org ${organization} --role owner --email you@example.com`,
      )
    return 0
  } finally {
    await control.close()
  }
}

async function fillTelemetry(
  config: Config,
  control: Control,
  projectId: number,
  options: SeedOptions,
): Promise<SeededTelemetry> {
  const interruption = new AbortController()
  let isCounted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () =>
      interruption.abort(
        new Error(
          isCounted
            ? 'Interrupted. The rows are complete; some of the recorded visits are missing.'
            : 'Interrupted. The rows that were written are removed.',
        ),
      ),
    )
  const opened = await openTelemetryHere(config)
  try {
    await ensureTables(config, control, opened)
    const nowMs = Date.now()
    return await seedTelemetry({
      control,
      telemetry: opened.telemetry,
      layout: layoutOf(config),
      projectId,
      options,
      retentionDays: config.retentionDays,
      nowMs,
      signal: interruption.signal,
      addVisits: async (plan, { mayWrite, signal }) => {
        mayWrite.then(
          () => {
            isCounted = true
          },
          () => undefined,
        )
        const { ids, visits } = readCaptures()
        return digestVisits({
          ...{ config, control, telemetry: opened.telemetry, projectId, log, mayWrite, signal },
          ...{ visits: planVisits(visits, plan, nowMs), ids: new Set(ids) },
        })
      },
    })
  } finally {
    await opened.close()
  }
}
