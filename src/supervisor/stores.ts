/** The control database may be away when Hydrant starts: events with known keys are accepted meanwhile, the rest waits for it. */
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
  /** Whether it answered at start, with its tables in place. */
  readonly isUp: boolean
  /** Rejects where the database is there and cannot be used, as with tables of a newer version. */
  whenUp: Promise<void>
}

const answerMs = 5_000
const retryMs = { first: 200, most: 5_000 }

export async function openControlStore({ config, control, log, isStopping }: Options): Promise<ControlStore> {
  let isUp = false
  async function isAnswering(): Promise<boolean> {
    if (config.databaseUrl === undefined) return true // a file: whatever is wrong with it does not pass by itself
    return (await settleWithin(sql`SELECT 1`.execute(control.db), answerMs)) !== null
  }

  /** True when it is ready; false when it was not there, or left on the way. */
  async function attempt(): Promise<boolean> {
    if (!(await isAnswering())) return false
    try {
      const migrated = await migrateControl(control, { dataDir: config.dataDir, log })
      log.info({ migrated }, 'control database is up to date')
      isUp = true
      return true
    } catch (error) {
      if (await isAnswering()) throw error
      return false
    }
  }

  async function keepTrying(): Promise<void> {
    for (let waitMs = retryMs.first; !isStopping(); waitMs = Math.min(waitMs * 2, retryMs.most)) {
      await new Promise(resolve => setTimeout(resolve, waitMs))
      if (await attempt()) return log.info('the control database answers again')
    }
    await new Promise(() => undefined) // nobody needs it any more
  }

  const whenUp = (await attempt()) ? Promise.resolve() : keepTrying()
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

/* Waits until the telemetry store answers and has its tables; until then the inbox keeps what arrives. */

type TelemetryStoreOptions = {
  config: Config
  control: Control
  engine: KeptChild<Child> | null
  metrics: HydrantMetrics
  log: Logger
  isStopping(): boolean
  /** Called whenever a server elsewhere is asked whether it answers. */
  onAnswer(isUp: boolean): void
}
type TelemetryStore = { client: Telemetry; layout: TableLayout }

const pingEveryMs = 5_000
const telemetryAnswerMs = 4_000 // a server that hangs is as good as away

export async function openTelemetryStore({
  config,
  control,
  engine,
  metrics,
  log,
  isStopping,
  onAnswer,
}: TelemetryStoreOptions): Promise<TelemetryStore> {
  await engine?.firstUp
  const client = openTelemetry(telemetryAddress(config))
  const layout = layoutOf(config)
  for (let waitMs = 200; !isStopping(); waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      const run = await withMigrationLock(control, () => migrateTelemetry(client, layout))
      if (run.length > 0) log.info({ run }, 'telemetry tables are up to date')
      break
    } catch (error) {
      log.warn(
        { error: error instanceof Error ? error.message.slice(0, 300) : String(error), waitMs },
        'the telemetry store is not there yet; what arrives waits in the inbox',
      )
      await new Promise(resolve => setTimeout(resolve, waitMs))
    }
  }
  // A server of our own tells when it ends; one elsewhere has to be asked.
  if (engine === null)
    setInterval(async () => {
      const isUp = (await settleWithin(client.ping(), telemetryAnswerMs)) === true
      metrics.engineUp.set(isUp ? 1 : 0)
      onAnswer(isUp)
    }, pingEveryMs).unref()
  else
    await watchDamagedParts({ telemetry: client, dataDir: config.dataDir, log, metrics }).catch(error =>
      log.warn({ error: String(error) }, 'parts of telemetry could not be checked'),
    )
  metrics.engineUp.set(1)
  onAnswer(true)
  return { client, layout }
}
