import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { z } from 'zod'
import { startEngine } from '#engine/start-engine.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { dataPaths } from '#supervisor/data-folder.ts'

export type TelemetryUnderTest = { telemetry: Telemetry; folder: string; stop(): Promise<void> }

/** The real engine in a folder of its own, with all its tables. */
export async function startTelemetry(): Promise<TelemetryUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrant-telemetry-'))
  const { telemetry, stop } = await startIn(folder)
  return {
    telemetry,
    folder,
    stop: async () => {
      await telemetry.close()
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Shared by the files of a worker, one after the other. */
const free: string[] = []

/**
 * An engine that others have used before, with empty tables, and a folder of one's own: to start one and make its tables takes
 * seconds. Not for tests that change tables or stop the engine.
 */
export async function borrowTelemetry(): Promise<TelemetryUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrant-telemetry-'))
  const socketPath = free.pop() ?? (await startShared())
  const opened = openTelemetry({ kind: 'socket', socketPath })
  // Rows that a mutation deleted leave their tokens behind, and the same batch of the next test file would count as a repeat.
  const borrower = randomUUID()
  const telemetry: Telemetry = {
    ...opened,
    insert: ({ token, ...rows }) => opened.insert({ ...rows, token: `${borrower}:${token}` }),
  }
  return {
    telemetry,
    folder,
    stop: async () => {
      await emptyTables(telemetry)
      await telemetry.close()
      free.push(socketPath)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Ends with this process. */
async function startShared(): Promise<string> {
  const { telemetry, socketPath } = await startIn(mkdtempSync(join(inject('scratch'), 'telemetry-')))
  await telemetry.close()
  return socketPath
}

async function startIn(folder: string) {
  const { telemetry: dataPath, engineSocket } = dataPaths(folder) // as in a folder of Hydrant's
  const engine = await startEngine({ dataPath, socketPath: engineSocket, log: () => undefined })
  const telemetry = openTelemetry({ kind: 'socket', socketPath: engine.socketPath })
  await migrateTelemetry(telemetry, { kind: 'single' })
  return { telemetry, socketPath: engine.socketPath, stop: engine.stop }
}

/** Those that have rows: to empty a table takes the engine as long as a query. */
export async function emptyTables(telemetry: Telemetry): Promise<void> {
  const tables = await telemetry.query({
    query:
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != 'schema_migration' AND total_rows > 0",
    schema: z.object({ name: z.string() }),
  })
  for (const { name } of tables) await telemetry.command(`TRUNCATE TABLE ${name}`)
}
