import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { afterAll, expect, test } from 'vitest'
import { createRandom } from '../../test/fuzz/random.ts'
import { engineClientOptions } from './engine-client-options.ts'
import { startEngine } from './start-engine.ts'

const folder = mkdtempSync(join(tmpdir(), 'engine-crash-'))
const rounds = 5
const rowsPerBatch = 200

afterAll(() => rmSync(folder, { recursive: true }))

const start = (name: string) =>
  startEngine({ dataPath: join(folder, name), socketPath: join(folder, `${name}.sock`), log: () => {} })

const schema = `CREATE TABLE IF NOT EXISTS kept (batch UInt32, text String, at DateTime DEFAULT now())
  ENGINE = MergeTree PARTITION BY batch % 3 ORDER BY batch
  SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60`

const random = createRandom(45)

test('acknowledged rows are stored once, however often the engine is killed', async () => {
  const acknowledged = new Set<number>()
  let batch = 0
  for (let round = 0; round < rounds; round++) {
    const engine = await start('kill')
    const client = createClient(engineClientOptions(engine.socketPath))
    await client.command({ query: schema })
    let killer: Promise<boolean> | undefined
    // The engine writes a token before the rows: after a kill between the two, a repeat with that token would be dropped.
    // So after an unclear insert we query for its rows, and send them again under another token if they are missing.
    if (await isThere(client, batch)) acknowledged.add(batch++)
    for (let isUp = true; isUp; ) {
      const values = Array.from({ length: rowsPerBatch }, (_, row) => ({ batch, text: `${batch}/${row}` }))
      const clickhouse_settings = { insert_deduplication_token: `${batch}:${round}` }
      isUp = await client.insert({ table: 'kept', values, format: 'JSONEachRow', clickhouse_settings }).then(
        () => true,
        () => false,
      )
      if (isUp) acknowledged.add(batch++)
      // Not a wait: the seed chooses the moment, inside an insert or between two.
      killer ??= delay(random.int(500)).then(() => process.kill(engine.pid, 'SIGKILL'))
    }
    await killer
    await engine.exited
    await client.close()
  }
  const engine = await start('kill')
  const client = createClient(engineClientOptions(engine.socketPath))
  const result = await client.query({
    query: 'SELECT batch, toUInt32(count()) AS n FROM kept GROUP BY batch ORDER BY batch',
    format: 'JSONEachRow',
  })
  const found = new Map((await result.json<{ batch: number; n: number }>()).map(row => [row.batch, row.n]))
  expect(acknowledged.size).toBeGreaterThanOrEqual(rounds)
  for (const id of acknowledged) expect(found.get(id), `batch ${id}`).toBe(rowsPerBatch)
  found.delete(batch) // the last insert was not acknowledged and may or may not be stored
  expect(found.size).toBe(acknowledged.size)
  await client.close()
  await engine.stop()
})

async function isThere(client: ClickHouseClient, batch: number): Promise<boolean> {
  const result = await client.query({
    query: 'SELECT toUInt32(count()) AS n FROM kept WHERE batch = {batch:UInt32}',
    query_params: { batch },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ n: number }>()
  return row?.n === rowsPerBatch
}

test('the engine starts although its owner has no access to one of its folders', async () => {
  const first = await start('locked')
  let client = createClient(engineClientOptions(first.socketPath))
  await client.command({ query: 'CREATE TABLE parts (id UInt64) ENGINE = MergeTree ORDER BY id' })
  await client.insert({ table: 'parts', values: [{ id: 7 }], format: 'JSONEachRow' })
  await client.close()
  await first.stop()
  const names = readdirSync(join(folder, 'locked'), { recursive: true, encoding: 'utf8' })
  const part = names.find(name => name.endsWith('all_1_1_0')) ?? 'no part'
  chmodSync(join(folder, 'locked', part), 0o600)
  const second = await start('locked')
  client = createClient(engineClientOptions(second.socketPath))
  expect(await (await client.query({ query: 'SELECT id FROM parts', format: 'JSONCompactEachRow' })).json()).toEqual([
    [7],
  ])
  await client.close()
  await second.stop()
})

test('the engine does not outlive the process that started it', async () => {
  const options = JSON.stringify({ dataPath: join(folder, 'orphan'), socketPath: join(folder, 'orphan.sock') })
  const script = `import { startEngine } from ${JSON.stringify(join(import.meta.dirname, 'start-engine.ts'))}
    const engine = await startEngine({ ...${options}, log: console.error })
    console.log(engine.pid)`
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e']
  const parent = spawn(process.execPath, [...flags, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output]: Buffer[] = await once(parent.stdout, 'data')
  const enginePid = Number(String(output))
  parent.kill('SIGKILL')
  await expect.poll(() => isRunning(enginePid)).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
