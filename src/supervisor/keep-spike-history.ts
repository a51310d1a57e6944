import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSpikeGuard, readSpikeHistory, type SpikeGuard } from '#ingest/spike-guard.ts'
import { createJsonFile } from './json-file.ts'

const everyMs = 60_000

/** Keeps the usual traffic of keys in a file. Each node has one, for its share of the traffic. */
export async function keepSpikeHistory(dataDir: string): Promise<{ guard: SpikeGuard; stop(): Promise<void> }> {
  const path = join(dataDir, 'key-history.json')
  const guard = createSpikeGuard(readSpikeHistory(await readFile(path, 'utf8').catch(() => '')))
  const file = createJsonFile(path)
  const write = (): void => file.write(guard.history(Date.now()))
  const timer = setInterval(write, everyMs).unref()
  return {
    guard,
    stop: async () => {
      clearInterval(timer)
      write()
      await file.settled()
    },
  }
}
