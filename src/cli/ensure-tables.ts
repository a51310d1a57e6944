import type { Config } from '#config.ts'
import type { Control } from '#store/control/control.ts'
import { withMigrationLock } from '#store/control/with-migration-lock.ts'
import { answersAgain } from '#store/telemetry/answers-again.ts'
import { hasAllTables, migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { layoutOf } from '#store/telemetry/table-layout.ts'
import type { OpenedTelemetry } from './open-telemetry-here.ts'

const patienceMs = 120_000

/**
 * Brings the telemetry tables up to this version, and gives the names of what was run. Beside a Hydrant that runs it only waits: that
 * one is doing it already, or has done it, and two at a time would undo each other's work.
 */
export async function ensureTables(
  config: Config,
  control: Control,
  { telemetry, isOfRunning }: OpenedTelemetry,
): Promise<string[]> {
  await answersAgain(telemetry) // of a server that has just been started the engine comes last
  if (!isOfRunning) return withMigrationLock(control, () => migrateTelemetry(telemetry, layoutOf(config)))
  for (const giveUpMs = performance.now() + patienceMs; performance.now() < giveUpMs; ) {
    if (await hasAllTables(telemetry).catch(() => false)) return []
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Error('The running Hydrant has not brought its telemetry tables up to date. Its log says why.')
}
