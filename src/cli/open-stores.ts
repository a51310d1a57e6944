import { existsSync, mkdirSync } from 'node:fs'
import type { Config } from '#config.ts'
import { startEngine } from '#engine/start-engine.ts'
import type { Control } from '#store/control/control.ts'
import { migrateControl, withMigrationLock } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { hasAllTables, migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { layoutOf } from '#store/telemetry/table-layout.ts'
import { openTelemetry, type Telemetry, type TelemetryAddress, telemetryAddress } from '#store/telemetry/telemetry.ts'
import { waitUntilResponding } from '#store/telemetry/write-batch.ts'
import { dataPaths } from '#supervisor/data-folder.ts'

type SocketAddress = Extract<TelemetryAddress, { kind: 'socket' }>

/** An engine starts in a second or two, on a busy machine more slowly. */
const engineTimeoutMs = 20_000

export type OpenedTelemetry = {
  telemetry: Telemetry
  /** True if it is the engine of a Hydrant that is running here. */
  isOfRunningHydrant: boolean
  close(): Promise<void>
}

/** Opens CLICKHOUSE_URL, or the engine of a running Hydrant, or starts an engine that `close` stops. */
export async function openTelemetryHere(config: Config): Promise<OpenedTelemetry> {
  const address = telemetryAddress(config)
  if (address.kind === 'url') return borrowed(openTelemetry(address), false)
  const { run, holder, telemetry: dataPath } = dataPaths(config.dataDir)
  const running = await findRunning(address)
  if (running) return borrowed(running, true)
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const engine = await startEngine({ dataPath, socketPath: address.socketPath, log: () => {} }).catch(async error => {
    // A Hydrant that is just starting holds the folder before its engine responds.
    const starting = existsSync(holder) ? await waitForRunning(address) : null
    if (starting) return borrowed(starting, true)
    throw error
  })
  if ('telemetry' in engine) return engine
  const telemetry = openTelemetry(address)
  const close = async () => {
    await telemetry.close()
    await engine.stop()
  }
  return { telemetry, isOfRunningHydrant: false, close }
}

async function findRunning(address: SocketAddress): Promise<Telemetry | null> {
  if (!existsSync(address.socketPath)) return null
  const telemetry = openTelemetry(address)
  if (await telemetry.ping()) return telemetry
  await telemetry.close()
  return null
}

async function waitForRunning(address: SocketAddress): Promise<Telemetry | null> {
  for (const giveUpMs = performance.now() + engineTimeoutMs; performance.now() < giveUpMs; ) {
    const telemetry = await findRunning(address)
    if (telemetry) return telemetry
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  return null
}

function borrowed(telemetry: Telemetry, isOfRunningHydrant: boolean): OpenedTelemetry {
  return { telemetry, isOfRunningHydrant, close: () => telemetry.close() }
}

const tablesTimeoutMs = 120_000

/**
 * Migrates the telemetry tables and returns the names of the applied migrations. If a Hydrant is running here, only waits: it
 * migrates the tables itself, and two migrations at once would undo each other's work.
 */
export async function ensureTables(
  config: Config,
  control: Control,
  { telemetry, isOfRunningHydrant }: OpenedTelemetry,
): Promise<string[]> {
  await waitUntilResponding(telemetry) // the engine is the last part of a server to start
  if (!isOfRunningHydrant) return withMigrationLock(control, () => migrateTelemetry(telemetry, layoutOf(config)))
  for (const giveUpMs = performance.now() + tablesTimeoutMs; performance.now() < giveUpMs; ) {
    if (await hasAllTables(telemetry).catch(() => false)) return []
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Error('The running Hydrant has not migrated its telemetry tables. Read its log for the reason.')
}

/** Commands print only their own result. */
const silent = { info() {}, warn() {} }

/** Works before the first start and next to a running server; the migration lock orders them. */
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
