import { existsSync, mkdirSync } from 'node:fs'
import type { Config } from '#config.ts'
import { startEngine } from '#engine/start-engine.ts'
import { openTelemetry, type Telemetry, type TelemetryPlace } from '#store/telemetry/telemetry.ts'
import { telemetryPlace } from '#store/telemetry/telemetry-place.ts'
import { dataPaths } from '#supervise/data-folder.ts'

type SocketPlace = Extract<TelemetryPlace, { kind: 'socket' }>

/** An engine opens in a second or two; on a busy machine in some more. */
const patienceMs = 20_000

export type OpenedTelemetry = {
  telemetry: Telemetry
  /** Whether it is the engine of a Hydrant that runs here. */
  isOfRunning: boolean
  close(): Promise<void>
}

/** The ClickHouse server that is configured, else the engine of a running Hydrant, else an engine of our own for the while. */
export async function openTelemetryHere(config: Config): Promise<OpenedTelemetry> {
  const place = telemetryPlace(config)
  if (place.kind === 'url') return plain(openTelemetry(place), false)
  const { run, holder, telemetry: dataPath } = dataPaths(config.dataDir)
  const running = await findRunning(place)
  if (running) return plain(running, true)
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const engine = await startEngine({ dataPath, socketPath: place.socketPath, log: () => {} }).catch(async error => {
    // A Hydrant that is just starting holds the folder before its engine answers.
    const starting = existsSync(holder) ? await waitForRunning(place) : null
    if (starting) return plain(starting, true)
    throw error
  })
  if ('telemetry' in engine) return engine
  const telemetry = openTelemetry(place)
  const close = async () => {
    await telemetry.close()
    await engine.stop()
  }
  return { telemetry, isOfRunning: false, close }
}

async function findRunning(place: SocketPlace): Promise<Telemetry | null> {
  if (!existsSync(place.socketPath)) return null
  const telemetry = openTelemetry(place)
  if (await telemetry.ping()) return telemetry
  await telemetry.close()
  return null
}

async function waitForRunning(place: SocketPlace): Promise<Telemetry | null> {
  for (const giveUpMs = performance.now() + patienceMs; performance.now() < giveUpMs; ) {
    const telemetry = await findRunning(place)
    if (telemetry) return telemetry
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  return null
}

function plain(telemetry: Telemetry, isOfRunning: boolean): OpenedTelemetry {
  return { telemetry, isOfRunning, close: () => telemetry.close() }
}
