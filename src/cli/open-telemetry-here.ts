import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { startEngine } from '#engine/start-engine.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'

export type OpenedTelemetry = { telemetry: Telemetry; close(): Promise<void> }

/** The ClickHouse server that is configured, else the engine of a running Hydrant, else an engine of our own for the while. */
export async function openTelemetryHere(config: Config): Promise<OpenedTelemetry> {
  if (config.clickhouseUrl !== undefined) return plain(openTelemetry({ kind: 'url', url: config.clickhouseUrl }))
  const socketPath = join(config.dataDir, 'run', 'engine.sock')
  if (existsSync(socketPath)) {
    const telemetry = openTelemetry({ kind: 'socket', socketPath })
    if (await telemetry.ping()) return plain(telemetry)
    await telemetry.close()
  }
  mkdirSync(join(config.dataDir, 'run'), { recursive: true, mode: 0o700 })
  const engine = await startEngine({ dataPath: join(config.dataDir, 'telemetry'), socketPath, log: () => {} })
  const telemetry = openTelemetry({ kind: 'socket', socketPath })
  const close = async () => {
    await telemetry.close()
    await engine.stop()
  }
  return { telemetry, close }
}

function plain(telemetry: Telemetry): OpenedTelemetry {
  return { telemetry, close: () => telemetry.close() }
}
