/** Opens the control database and the telemetry store. Either may be unavailable at start: events are accepted meanwhile. */
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { settleWithin } from '#lib/timing.ts'
import type { HydrantMetrics } from '#metrics.ts'
import type { Control } from '#store/control/control.ts'
import { migrateControl, withMigrationLock } from '#store/control/migrate-control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { layoutOf, type TableLayout } from '#store/telemetry/table-layout.ts'
import { openTelemetry, type Telemetry, telemetryAddress } from '#store/telemetry/telemetry.ts'
import { watchDamagedParts } from './damaged-parts.ts'
import type { Child, KeptChild } from './keep-alive.ts'

type Options = { config: Config; control: Control; log: Logger; isStopping(): boolean }
type ControlStore = {
  /** True once the database has responded and is migrated. */
  readonly isUp: boolean
  /** Rejects when the database responds but cannot be used, for example because its tables are of a newer version. */
  whenUp: Promise<void>
}

const pingTimeoutMs = 5_000
const retryMs = { first: 200, max: 5_000 }

export async function openControlStore({ config, control, log, isStopping }: Options): Promise<ControlStore> {
  let isUp = false
  async function isResponding(): Promise<boolean> {
    if (config.databaseUrl === undefined) return true // SQLite: an error in a file does not go away by itself
    return (await settleWithin(sql`SELECT 1`.execute(control.db), pingTimeoutMs)) !== null
  }

  /** False when the database is unavailable, also when it became so during the migration. */
  async function tryMigrate(): Promise<boolean> {
    if (!(await isResponding())) return false
    try {
      const migrated = await migrateControl(control, { dataDir: config.dataDir, log })
      log.info({ migrated }, 'control database is up to date')
      isUp = true
      return true
    } catch (error) {
      if (await isResponding()) throw error
      return false
    }
  }

  async function keepTrying(): Promise<void> {
    for (let waitMs = retryMs.first; !isStopping(); waitMs = Math.min(waitMs * 2, retryMs.max)) {
      await new Promise(resolve => setTimeout(resolve, waitMs))
      if (await tryMigrate()) return log.info('control database is available')
    }
    await new Promise(() => undefined) // stopping: nothing waits for it
  }

  const whenUp = (await tryMigrate()) ? Promise.resolve() : keepTrying()
  if (!isUp)
    log.error(
      'Couldn’t reach the control database (DATABASE_URL). Retrying; events with keys known from the last run are accepted.',
    )
  return {
    get isUp() {
      return isUp
    },
    whenUp,
  }
}

type TelemetryStoreOptions = {
  config: Config
  control: Control
  engine: KeptChild<Child> | null
  metrics: HydrantMetrics
  log: Logger
  isStopping(): boolean
  /** Called after each ping of an external server. */
  onPing(isUp: boolean): void
}
export type TelemetryStore = { client: Telemetry; layout: TableLayout }

const pingEveryMs = 5_000
const telemetryPingTimeoutMs = 4_000

/** Resolves when the telemetry store responds and is migrated. Until then events wait in the inbox. */
export async function openTelemetryStore({
  config,
  control,
  engine,
  metrics,
  log,
  isStopping,
  onPing,
}: TelemetryStoreOptions): Promise<TelemetryStore> {
  await engine?.firstUp
  const client = openTelemetry(telemetryAddress(config))
  const layout = layoutOf(config)
  for (let waitMs = retryMs.first; !isStopping(); waitMs = Math.min(waitMs * 2, retryMs.max)) {
    try {
      const run = await withMigrationLock(control, () => migrateTelemetry(client, layout))
      if (run.length > 0) log.info({ run }, 'telemetry tables migrated')
      break
    } catch (error) {
      log.warn(
        { error: error instanceof Error ? error.message.slice(0, 300) : String(error), waitMs },
        'telemetry store is unavailable; events wait in the inbox',
      )
      await new Promise(resolve => setTimeout(resolve, waitMs))
    }
  }
  // The supervisor notices when the embedded engine ends; an external server has to be pinged.
  if (engine === null)
    setInterval(async () => {
      const isUp = (await settleWithin(client.ping(), telemetryPingTimeoutMs)) === true
      metrics.engineUp.set(isUp ? 1 : 0)
      onPing(isUp)
    }, pingEveryMs).unref()
  else
    await watchDamagedParts({ telemetry: client, dataDir: config.dataDir, log, metrics }).catch(error =>
      log.warn({ error: String(error) }, 'telemetry parts could not be checked'),
    )
  metrics.engineUp.set(1)
  onPing(true)
  return { client, layout }
}
