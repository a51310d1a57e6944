import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngine } from '#engine/start-engine.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'

export type TelemetryUnderTest = { telemetry: Telemetry; folder: string; stop(): Promise<void> }

/** The real engine in a folder of its own, with all its tables. */
export async function startTelemetry(): Promise<TelemetryUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrant-telemetry-'))
  const engine = await startEngine({
    dataPath: join(folder, 'telemetry'),
    socketPath: join(folder, 'engine.sock'),
    log: () => undefined,
  })
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
