/** Waits until the telemetry store answers and has its tables; until then the inbox keeps what arrives. */
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import type { HydrantMetrics } from '#ingest/metrics.ts'
import { settleWithin } from '#lib/settle-within.ts'
import type { Control } from '#store/control/control.ts'
import { withMigrationLock } from '#store/control/with-migration-lock.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { layoutOf, type TableLayout } from '#store/telemetry/table-layout.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { telemetryPlace } from '#store/telemetry/telemetry-place.ts'
import { watchDamagedParts } from './damaged-parts.ts'
import type { Child, KeptChild } from './keep-alive.ts'

type Options = {
  config: Config
  control: Control
  engine: KeptChild<Child> | null
  metrics: HydrantMetrics
  log: Logger
  isStopping(): boolean
  /** Called whenever a server elsewhere is asked whether it answers. */
  onAnswer(isUp: boolean): void
}
export type TelemetryStore = { client: Telemetry; layout: TableLayout }

const pingEveryMs = 5_000
const answerMs = 4_000 // a server that hangs is as good as away

export async function openTelemetryStore({
  config,
  control,
  engine,
  metrics,
  log,
  isStopping,
  onAnswer,
}: Options): Promise<TelemetryStore> {
  await engine?.firstUp
  const client = openTelemetry(telemetryPlace(config))
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
      const isUp = (await settleWithin(client.ping(), answerMs)) === true
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
