import { existsSync, mkdirSync } from 'node:fs'
import type { Config } from '#config.ts'
import { startEngine } from '#engine/start-engine.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { telemetryPlace } from '#store/telemetry/telemetry-place.ts'
import { dataPaths } from '#supervise/data-folder.ts'

export type OpenedTelemetry = { telemetry: Telemetry; close(): Promise<void> }

/** The ClickHouse server that is configured, else the engine of a running Hydrant, else an engine of our own for the while. */
export async function openTelemetryHere(config: Config): Promise<OpenedTelemetry> {
  const place = telemetryPlace(config)
  if (place.kind === 'url') return plain(openTelemetry(place))
  const { run, telemetry: dataPath } = dataPaths(config.dataDir)
  if (existsSync(place.socketPath)) {
    const telemetry = openTelemetry(place)
    if (await telemetry.ping()) return plain(telemetry)
    await telemetry.close()
  }
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const engine = await startEngine({ dataPath, socketPath: place.socketPath, log: () => {} })
  const telemetry = openTelemetry(place)
  const close = async () => {
    await telemetry.close()
    await engine.stop()
  }
  return { telemetry, close }
}

function plain(telemetry: Telemetry): OpenedTelemetry {
  return { telemetry, close: () => telemetry.close() }
}
