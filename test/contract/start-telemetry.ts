import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngine } from '#engine/start-engine.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { dataPaths } from '#supervisor/data-folder.ts'

export type TelemetryUnderTest = { telemetry: Telemetry; folder: string; stop(): Promise<void> }

/** The real engine in a folder of its own, with all its tables. */
export async function startTelemetry(): Promise<TelemetryUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrant-telemetry-'))
  const { telemetry: dataPath, engineSocket: socketPath } = dataPaths(folder) // as in a folder of Hydrant's
  const engine = await startEngine({ dataPath, socketPath, log: () => undefined })
  const telemetry = openTelemetry({ kind: 'socket', socketPath: engine.socketPath })
  await migrateTelemetry(telemetry, { kind: 'single' })
  return {
    telemetry,
    folder,
    stop: async () => {
      await telemetry.close()
      await engine.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
