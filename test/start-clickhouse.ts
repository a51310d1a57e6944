import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngine } from '#engine/start-engine.ts'
import { gateTo } from './gate-to.ts'

export type ClickhouseServer = { url: string; stop(): Promise<void> }

/** A ClickHouse server on a TCP port: the embedded engine speaks the same HTTP interface, in a process that no Hydrant started. */
export async function startClickhouse(): Promise<ClickhouseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrant-clickhouse-'))
  const socketPath = join(folder, 'engine.sock')
  const engine = await startEngine({ dataPath: join(folder, 'data'), socketPath, log: () => undefined })
  const gate = await gateTo('http://127.0.0.1:8123', () => connect(socketPath))
  await gate.open()
  return {
    url: gate.url,
    stop: async () => {
      await gate.close()
      await engine.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
