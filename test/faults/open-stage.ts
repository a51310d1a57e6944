/** The stores of one node in a folder of its own, with a real engine but without a Hydrant process. */
import pino from 'pino'
import type { Control } from '#store/control/control.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { startTelemetry } from '../contract/start-telemetry.ts'

export type Stage = { dataDir: string; control: Control; telemetry: Telemetry; close(): Promise<void> }

export async function openStage(): Promise<Stage> {
  const { folder: dataDir, telemetry, stop } = await startTelemetry()
  const control = openControl({ dataDir, databaseUrl: undefined })
  await migrateControl(control, { dataDir, log: pino({ level: 'silent' }) })
  await control.db.insertInto('organization').values({ slug: 'acme', name: 'acme', created_at: 0 }).execute()
  return {
    dataDir,
    control,
    telemetry,
    close: async () => {
      await control.close()
      await stop()
    },
  }
}
