/** The stores of one node in a folder of its own, with a real engine and no process of ours around them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { startEngine } from '#engine/start-engine.ts'
import type { Control } from '#store/control/control.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'

export type Stage = { dataDir: string; control: Control; telemetry: Telemetry; close(): Promise<void> }

export async function openStage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-stage-'))
  const control = openControl({ dataDir, databaseUrl: undefined })
  await migrateControl(control, { dataDir, log: pino({ level: 'silent' }) })
  await control.db.insertInto('organization').values({ slug: 'acme', name: 'acme', created_at: 0 }).execute()
  const engine = await startEngine({
    dataPath: join(dataDir, 'telemetry'),
    socketPath: join(dataDir, 'run', 'engine.sock'),
    log: () => undefined,
  })
  const telemetry = openTelemetry({ kind: 'socket', socketPath: engine.socketPath })
  await migrateTelemetry(telemetry, { kind: 'single' })
  return {
    dataDir,
    control,
    telemetry,
    close: async () => {
      await telemetry.close()
      await control.close()
      await engine.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
