import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cpuSeconds } from '../../test/cpu-seconds.ts'
import { engineClientOptions } from './engine-client-options.ts'
import { engineReadSlots } from './engine-kind.ts'
import { type EngineHandle, startEngine } from './start-engine.ts'
import type { StatementCounts } from './statement-queue.ts'

const folder = mkdtempSync(join(tmpdir(), 'engine-'))
const dataPath = join(folder, 'data')
const socketPath = join(folder, 'engine.sock')
const lines: string[] = []
let engine: EngineHandle
let client: ClickHouseClient
let counts: StatementCounts | undefined

const table = (name: string) => `CREATE TABLE ${name} (id UInt64, text String) ENGINE = MergeTree ORDER BY id
  SETTINGS non_replicated_deduplication_window = 100, fsync_after_insert = 1, fsync_part_directory = 1`

async function rows<T>(query: string, query_params: Record<string, unknown> = {}): Promise<T[]> {
  return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<T>()
}

const countOf = async (name: string) => (await rows<{ n: number }>(`SELECT toUInt32(count()) AS n FROM ${name}`))[0]?.n

function insertRaw(
  query: string,
  body: Buffer,
  headers: Record<string, string>,
  token?: string,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const path = `/?${new URLSearchParams({ query, ...(token && { insert_deduplication_token: token }) })}`
    const sent = request({ socketPath, path, method: 'POST', headers }, response => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject).end(body)
  })
}

beforeAll(async () => {
  engine = await startEngine({ dataPath, socketPath, log: line => lines.push(line), onCounts: now => (counts = now) })
  client = createClient(engineClientOptions(socketPath))
})

afterAll(async () => {
  await client.close()
  await engine.stop()
  // On a busy machine the engine may not be done after five seconds, and is ended: acknowledged rows are on disk.
  expect([
    { code: 0, signal: null },
    { code: null, signal: 'SIGKILL' },
  ]).toContainEqual(await engine.exited)
  expect(lines).toEqual([])
  rmSync(folder, { recursive: true })
})

test('the engine reports its version, and only its owner can use the socket', async () => {
  expect(engine.version).toMatch(/^\d+\.\d+\./)
  expect(statSync(socketPath).mode & 0o777).toBe(0o600)
  expect(await client.ping()).toEqual({ success: true })
})

test('parameters arrive unchanged, whatever they contain', async () => {
  const sent = {
    text: "o'neil \\ \n \t \0 \u65e5\u672c \u{1f600} {x:String} '; DROP TABLE t; --",
    list: ["it's", 'back\\slash', ''],
    map: { "k'": 'v\n' },
    none: null,
    big: '18446744073709551615',
  }
  const query = `SELECT {text:String} AS text, {list:Array(String)} AS list, {map:Map(String, String)} AS map,
    {none:Nullable(String)} AS none, toString({big:UInt64}) AS big`
  expect(await rows(query, sent)).toEqual([sent])
})

test('parameters of one query are not visible to the next', async () => {
  await rows('SELECT {secret:String}', { secret: 'x' })
  await expect(rows('SELECT {secret:String}')).rejects.toMatchObject({ type: 'UNKNOWN_QUERY_PARAMETER' })
})

test('parameters too long for a URL arrive in a form', async () => {
  const long = 'x'.repeat(300_000)
  const result = await client.query({
    query: 'SELECT length({long:String}) AS n',
    query_params: { long },
    use_multipart_params: true,
    format: 'JSONEachRow',
  })
  expect(await result.json()).toEqual([{ n: 300_000 }])
})

test('an error has the code and name of ClickHouse', async () => {
  await expect(rows('SELECT * FROM nowhere')).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' })
  await expect(rows('SELEC 1')).rejects.toMatchObject({ code: '62', type: 'SYNTAX_ERROR' })
})

test.each([
  "SELECT * FROM file('/etc/passwd', 'LineAsString')",
  "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
  "WITH 1 AS x SELECT * FROM executable('id', 'TSV', 'a String')",
  'SELECT 1; CREATE TABLE hole (a Int8) ENGINE = Memory',
])('a read can do nothing but read: %s', async query => {
  await expect((async () => (await client.query({ query, format: 'JSONEachRow' })).text())()).rejects.toThrow()
  expect(await rows("SELECT name FROM system.tables WHERE name = 'hole'")).toEqual([])
})

test('a query that takes too long is stopped', async () => {
  const query = 'SELECT sum(number) FROM numbers(1000000000000)'
  const slow = client.query({ query, clickhouse_settings: { max_execution_time: 1 } })
  await expect(slow).rejects.toMatchObject({ type: 'TIMEOUT_EXCEEDED' })
})

test('a query whose client has disconnected frees its slot', async () => {
  const browser = new AbortController()
  const query = 'SELECT sum(number) FROM numbers(1000000000000)'
  const clickhouse_settings = { max_execution_time: 3600 }
  const abandoned = client.query({ query, clickhouse_settings, abort_signal: browser.signal }).catch(() => 'aborted')
  const before = cpuSeconds(engine.pid)
  await expect.poll(() => cpuSeconds(engine.pid)).toBeGreaterThan(before) // it is at work
  browser.abort()
  expect(await abandoned).toBe('aborted')
  expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('abandoned reads are cancelled, running or waiting', async () => {
  const before = counts
  const clients = Array.from({ length: 40 }, () => new AbortController())
  const asked = clients.map(({ signal }, n) =>
    client.query({
      query: `SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number, ${n}) = 1`,
      abort_signal: signal,
      clickhouse_settings: { max_execution_time: 300 },
    }),
  )
  const outcomes = Promise.allSettled(asked)
  await expect.poll(() => counts?.readsRunning).toBe(engineReadSlots[engine.build])
  await expect.poll(() => counts?.readsWaiting ?? 0).toBeGreaterThan(0)
  for (const each of clients) each.abort()
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
  // The time limit of these statements is far beyond what the test waits.
  await expect.poll(() => counts, { timeout: 30_000 }).toMatchObject({ readsRunning: 0, readsWaiting: 0 })
  expect((counts?.cancelled ?? 0) - (before?.cancelled ?? 0)).toBeGreaterThan(engineReadSlots[engine.build])
  expect(await rows('SELECT count() AS n FROM system.processes')).toEqual([{ n: 1 }])
})

test('rows sent twice with one token are stored once', async () => {
  await client.command({ query: table('twice') })
  const insert = (token: string, values: [number, string][]) =>
    client.insert({
      table: 'twice',
      values,
      format: 'JSONCompactEachRow',
      clickhouse_settings: { insert_deduplication_token: token },
    })
  await insert('batch 1', [[1, 'a']])
  await insert('batch 1', [[1, 'a']])
  expect(await countOf('twice')).toBe(1)
  await insert('batch 2', [[1, 'a']]) // the same row in another batch
  expect(await countOf('twice')).toBe(2)
})

test('ten megabytes in a stream become one block, unchanged', async () => {
  await client.command({ query: table('large') })
  const values = Array.from({ length: 10_000 }, (_, id) => [id, `${id}\n'"\\ü`.padEnd(1000, 'x')] as const)
  const summary = await client.insert({ table: 'large', values: Readable.from(values), format: 'JSONCompactEachRow' })
  expect(summary.summary?.written_rows).toBe('10000')
  expect(await rows("SELECT toUInt32(rows) AS rows FROM system.parts WHERE table = 'large' AND active")).toEqual([
    { rows: 10_000 },
  ])
  const stored = await rows<{ id: string; text: string }>('SELECT id, text FROM large ORDER BY id')
  const hash = (texts: string[]) => createHash('sha256').update(texts.join('')).digest('hex')
  expect(hash(stored.map(row => row.text))).toBe(hash(values.map(([, value]) => value)))
})

test('plain and gzipped rows are stored, and a bad row is rejected', async () => {
  await client.command({ query: table('raw') })
  const insert = 'INSERT INTO raw (text, id) FORMAT JSONCompactEachRow'
  expect(await insertRaw(insert, Buffer.from('["a",1]\n["b",2]\n'), {})).toBe(200)
  expect(await insertRaw(insert, gzipSync('["c",3]\n'), { 'content-encoding': 'gzip' })).toBe(200)
  expect(await insertRaw(insert, Buffer.from('["d",4]\n["e","five"]\n'), {})).toBe(400)
  expect(await insertRaw(insert, Buffer.from('["a\0",5]\n'), {})).toBe(400)
  expect(await countOf('raw')).toBe(3)
})

test('rows in the Native format are stored once or not at all, and leave no file behind', async () => {
  await client.command({ query: table('given') })
  await client.command({ query: table('taken') })
  await client.insert({
    table: 'given',
    values: [
      { id: 1, text: 'a\0b' },
      { id: 2, text: '' },
    ],
    format: 'JSONEachRow',
  })
  const given = await client.exec({ query: 'SELECT text, id FROM given ORDER BY id FORMAT Native' })
  const block = await buffer(given.stream)
  const insert = 'INSERT INTO taken (text, id) FORMAT Native'
  expect(await insertRaw(insert, block, {}, 'one')).toBe(200)
  expect(await insertRaw(insert, gzipSync(block), { 'content-encoding': 'gzip' }, 'one')).toBe(200)
  expect(await countOf('taken')).toBe(2)
  expect(await insertRaw(insert, gzipSync(block), { 'content-encoding': 'gzip' }, 'two')).toBe(200)
  for (const broken of [Buffer.concat([block, block.subarray(0, 40)]), Buffer.from('no block')])
    expect(await insertRaw(insert, broken, {}, 'three')).toBeGreaterThanOrEqual(400)
  expect(await countOf('taken')).toBe(4)
  expect(await rows('SELECT DISTINCT id, text FROM taken ORDER BY id')).toEqual([
    { id: 1, text: 'a\0b' },
    { id: 2, text: '' },
  ])
  expect(readdirSync(join(dataPath, 'incoming'))).toEqual([])
})

test('twenty concurrent queries each get their own result', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => rows('SELECT toUInt8({n:UInt8}) AS n', { n })))
  expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => [{ n }]))
})

test('a query may be in the URL, and its result in any format', async () => {
  const result = await client.exec({ query: 'SELECT 1 AS a, 2 AS b FORMAT CSVWithNames' })
  expect(result.response_headers['x-clickhouse-format']).toBe('CSVWithNames')
  expect(await text(result.stream)).toBe('"a","b"\n1,2\n')
})

test('drifting memory tracking does not stop the engine after a hundred thousand inserts', async () => {
  const [bound] = await rows<{ value: string }>(
    "SELECT value FROM system.server_settings WHERE name = 'max_server_memory_usage'",
  )
  const driftBytes = 0.22 * 1024 ** 2 // per insert of the WebAssembly build
  if (engine.build === 'wasm') expect(Number(bound?.value)).toBeGreaterThan(100_000 * driftBytes)
})

test('a second engine on the same folder fails with a reason', async () => {
  const second = startEngine({ dataPath, socketPath: join(folder, 'second.sock'), log: () => {} })
  await expect(second).rejects.toThrow(/Another engine is using .*data/)
})
