import { existsSync, mkdirSync } from 'node:fs'
import type { Config } from '#config.ts'
import { startEngine } from '#engine/start-engine.ts'
import type { Control } from '#store/control/control.ts'
import { migrateControl, withMigrationLock } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { hasAllTables, migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { layoutOf } from '#store/telemetry/table-layout.ts'
import { openTelemetry, type Telemetry, type TelemetryAddress, telemetryAddress } from '#store/telemetry/telemetry.ts'
import { answersAgain } from '#store/telemetry/write-batch.ts'
import { dataPaths } from '#supervisor/data-folder.ts'

type SocketAddress = Extract<TelemetryAddress, { kind: 'socket' }>

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
  const place = telemetryAddress(config)
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

async function findRunning(place: SocketAddress): Promise<Telemetry | null> {
  if (!existsSync(place.socketPath)) return null
  const telemetry = openTelemetry(place)
  if (await telemetry.ping()) return telemetry
  await telemetry.close()
  return null
}

async function waitForRunning(place: SocketAddress): Promise<Telemetry | null> {
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

const tablesPatienceMs = 120_000

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
  for (const giveUpMs = performance.now() + tablesPatienceMs; performance.now() < giveUpMs; ) {
    if (await hasAllTables(telemetry).catch(() => false)) return []
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Error('The running Hydrant has not brought its telemetry tables up to date. Its log says why.')
}

/** Commands say what they did themselves; a migration on the way is not their news. */
const silent = { info() {}, warn() {} }

/** Works before the first start as well as beside a running server: whoever comes first makes the tables. */
export async function openMigratedControl(config: Config): Promise<Control> {
  const control = openControl(config)
  try {
    await migrateControl(control, { dataDir: config.dataDir, log: silent })
    return control
  } catch (error) {
    await control.close()
    throw error
  }
}
