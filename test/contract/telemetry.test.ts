import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type EngineHandle, startEngine } from '#engine/start-engine.ts'
import { dropExpiredPartitions } from '#store/telemetry/drop-expired.ts'
import { encodeRows, insertColumns } from '#store/telemetry/encode-rows.ts'
import { joinReads } from '#store/telemetry/join-reads.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import type { LogRow, OutcomeRow } from '#store/telemetry/rows.ts'
import { tableNames } from '#store/telemetry/tables.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { gateTo } from '../gate-to.ts'
import { makeLog } from '../make-log.ts'
import { hardRows } from './hard-rows.ts'

const dayMs = 86_400_000
const now = Date.UTC(2026, 10, 15, 12)
let folder: string
let engine: EngineHandle
let telemetry: Telemetry

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telemetry-'))
  engine = await startEngine({
    dataPath: join(folder, 'telemetry'),
    socketPath: join(folder, 'engine.sock'),
    log: () => undefined,
  })
  telemetry = openTelemetry({ kind: 'socket', socketPath: engine.socketPath })
  await migrateTelemetry(telemetry, { kind: 'single' })
})
afterAll(async () => {
  await telemetry?.close()
  await engine?.stop()
  await rm(folder, { recursive: true, force: true })
})

const outcome = (reason: string, daysAgo = 0, retention = 30): OutcomeRow => ({
  project_id: 1,
  hour: Math.floor((now - daysAgo * dayMs) / 3_600_000) * 3_600,
  retention_days: retention,
  category: 'error',
  outcome: 'invalid',
  reason,
  quantity: 1,
})

const logLine = (body: string, sequence: number): LogRow => makeLog({ timestamp: now * 1000, sequence, body })

async function reasons(batchId: string): Promise<string[]> {
  const rows = await telemetry.query({
    query:
      "SELECT reason FROM outcomes WHERE batch_id = {batchId:String} OR startsWith(batch_id, {batchId:String} || '/') ORDER BY reason LIMIT 1000",
    params: { batchId },
    schema: z.object({ reason: z.string() }),
  })
  return rows.map(row => row.reason)
}
const write = (batchId: string, rows: OutcomeRow[], mayHaveArrived: boolean) =>
  writeBatch(telemetry, { table: 'outcomes', rows, batchId, mayHaveArrived, isSuspect: false })

test('a row of hard values is the same in the engine’s own format as in JSON, in every table', async () => {
  for (const table of tableNames) {
    const [binary, text] = [`binary_${table}`, `text_${table}`]
    for (const name of [binary, text]) await telemetry.command(`CREATE TABLE ${name} AS ${table} ENGINE = Memory`)
    const rows = hardRows(table)
    const columns = insertColumns(table)
    const asJson = rows
      .map(row => `${JSON.stringify([...columns.slice(0, -1).map(name => row[name]), 'b'])}\n`)
      .join('')
    for (const [name, body] of [[binary, encodeRows(table, rows as never, 'b')] as const, [text, asJson] as const])
      expect(await telemetry.insert({ table: name, columns, body, token: name })).toEqual({ kind: 'done' })
    const [found] = await telemetry.query({
      query: `SELECT (SELECT count() FROM ${binary}) AS binary, (SELECT count() FROM ${text}) AS text,
        (SELECT groupBitXor(cityHash64(*)) FROM ${binary}) = (SELECT groupBitXor(cityHash64(*)) FROM ${text}) AS isSame`,
      schema: z.object({ binary: z.coerce.number(), text: z.coerce.number(), isSame: z.coerce.boolean() }),
    })
    expect(found, table).toEqual({ binary: rows.length, text: rows.length, isSame: true })
  }
})

test('a table whose last row was huge takes many small ones after it', async () => {
  const huge = encodeRows('logs', [logLine('x'.repeat(1_000_000), 0)], 'b')
  const many = encodeRows(
    'logs',
    Array.from({ length: 3_000 }, (_, index) => logLine('small', index)),
    'b',
  )
  expect(many.buffer.byteLength).toBeLessThan(20 * huge.length)
})

test('a batch that is written twice is there once, whoever remembers it', async () => {
  const rows = [outcome('token'), outcome('token', 1)]
  await write('t:1', rows, false)
  await write('t:1', rows, false)
  expect(await reasons('t:1')).toEqual(['token', 'token'])
  // A window of one block: the token of the first batch is forgotten by the next insert, and only the question is left.
  await telemetry.command('ALTER TABLE outcomes MODIFY SETTING non_replicated_deduplication_window = 1')
  await write('t:2', rows, false)
  await write('t:3', rows, false)
  await write('t:2', rows, true)
  expect(await reasons('t:2')).toEqual(['token', 'token'])
  await telemetry.command('ALTER TABLE outcomes MODIFY SETTING non_replicated_deduplication_window = 1000')
})

test('of a batch that arrived by half, only the other half is written', async () => {
  const rows = [outcome('today'), outcome('today'), outcome('yesterday', 1)]
  await write('h:1', rows.slice(0, 2), false)
  expect(await write('h:1', rows, true)).toEqual({ kind: 'done', refused: [] })
  expect(await reasons('h:1')).toEqual(['today', 'today', 'yesterday'])
})

test('a repeat that meets its own first try still under way changes nothing', async () => {
  for (const round of Array(6).keys()) {
    const rows = [outcome('at once'), outcome('at once', 1)]
    const fates = await Promise.all([write(`o:${round}`, rows, round % 2 === 1), write(`o:${round}`, rows, true)])
    expect(fates.map(fate => fate.kind)).toEqual(['done', 'done'])
    expect(await reasons(`o:${round}`)).toEqual(['at once', 'at once'])
  }
})

test('a token that the engine noted without the rows does not swallow them', async () => {
  const rows = [outcome('noted')]
  await write('n:1', rows, false)
  // As after a kill between the note and the rows: the note stays, the rows are gone.
  await telemetry.command("ALTER TABLE outcomes DELETE WHERE batch_id = 'n:1'", { mutations_sync: 1 })
  await write('n:1', rows, false)
  expect(await reasons('n:1')).toEqual([])
  expect(await write('n:1', rows, true)).toEqual({ kind: 'done', refused: [] })
  expect(await reasons('n:1')).toEqual(['noted'])
})

test('a row that the engine cannot take stands alone in the end, and its neighbors are stored', async () => {
  const rows = Array.from({ length: 9 }, (_, index) => logLine(`line ${index}`, index))
  const bad = { ...logLine('bad', 99), trace_id: 'no id at all' }
  const all = [...rows.slice(0, 4), bad, ...rows.slice(4)]
  const attempt = () =>
    writeBatch(telemetry, { table: 'logs', rows: all, batchId: 'b:1', mayHaveArrived: true, isSuspect: false })
  const [first, again] = [await attempt(), await attempt()]
  for (const result of [first, again]) {
    expect(result.kind === 'done' && result.refused.map(({ row }) => row.body)).toEqual(['bad'])
  }
  const stored = await telemetry.query({
    query: 'SELECT body FROM logs ORDER BY sequence LIMIT 100',
    schema: z.object({ body: z.string() }),
  })
  expect(stored.map(row => row.body)).toEqual(rows.map(row => row.body))
})

test('a batch that was cut because the engine failed is not written whole on top of its pieces', async () => {
  const rows = Array.from({ length: 6 }, (_, index) => outcome(`piece ${index}`))
  // The engine takes the first piece, then falls silent for a while; later it takes everything.
  let inserts = 0
  const moody: Telemetry = {
    ...telemetry,
    insert: insert =>
      ++inserts === 2
        ? telemetry.insert(insert)
        : Promise.resolve({ kind: 'refused', code: '241', message: 'no memory' }),
  }
  const first = await writeBatch(moody, {
    table: 'outcomes',
    rows,
    batchId: 'c:1',
    mayHaveArrived: false,
    isSuspect: true,
  })
  expect(first.kind).toBe('silent')
  expect(await reasons('c:1')).toEqual(['piece 0', 'piece 1', 'piece 2'])
  expect(await write('c:1', rows, true)).toEqual({ kind: 'done', refused: [] })
  expect(await reasons('c:1')).toEqual(rows.map(row => row.reason))
})

test('rows wait when there is no table, no memory or no room: that is not their fault', async () => {
  const rows = [outcome('waits'), outcome('waits')]
  const temporary = ['60', '241', '243', '252'].map(code => ({ code, message: 'not now' }))
  const onFullDisk = ['Error: ENOSPC: no space left on device, write', 'filesystem_error: No space left on device']
  const ofAnyRow = { code: '1002', message: 'it fails for no known reason' }
  for (const { code, message } of [
    ...temporary,
    ...onFullDisk.map(full => ({ code: '1001', message: full })),
    ofAnyRow,
  ]) {
    const poor: Telemetry = { ...telemetry, insert: async () => ({ kind: 'refused', code, message }) }
    const result = await writeBatch(poor, {
      table: 'outcomes',
      rows,
      batchId: `w:${code}`,
      mayHaveArrived: false,
      isSuspect: true,
    })
    expect([code, result.kind]).toEqual([code, 'silent'])
  }
})

test('a row that fails for no known reason is given up only while the engine stores others', async () => {
  const rows = [outcome('fine'), outcome('odd'), outcome('fine')]
  const picky: Telemetry = {
    ...telemetry,
    insert: insert =>
      Buffer.from(insert.body).includes('odd')
        ? Promise.resolve({ kind: 'refused', code: '1002', message: 'it is odd' })
        : telemetry.insert(insert),
  }
  const given = { table: 'outcomes', rows, batchId: 'own:1', mayHaveArrived: false, isSuspect: true } as const
  expect(await writeBatch(picky, given)).toEqual({ kind: 'done', refused: [{ row: rows[1], message: 'it is odd' }] })
  expect(await reasons('own:1')).toEqual(['fine', 'fine'])
})

test('retention drops the partitions whose last day has passed, and no others', async () => {
  await telemetry.command('TRUNCATE TABLE outcomes')
  await write(
    'r:1',
    [
      outcome('kept 30', 30),
      outcome('gone 30', 31),
      outcome('kept 90', 31, 90),
      outcome('kept 90', 90, 90),
      outcome('gone 90', 91, 90),
    ],
    false,
  )
  const dropped = await dropExpiredPartitions(telemetry, { kind: 'single' }, now)
  expect(dropped).toHaveLength(2)
  expect(await reasons('r:1')).toEqual(['kept 30', 'kept 90', 'kept 90'])
  expect(await dropExpiredPartitions(telemetry, { kind: 'single' }, now)).toEqual([])
})

test('a read gets its parameters as they are, and says what the engine says', async () => {
  const texts = [
    "o'neil",
    'a\\b\\n',
    'tab\tline\r\nend',
    '漢字 😀',
    '{x:String}',
    '%27&param_b=2#',
    '',
    'x'.repeat(600_000),
  ]
  for (const text of texts) {
    const [row] = await telemetry.query({
      query:
        'SELECT {text:String} AS text, {texts:Array(String)} AS texts, {few:Array(UInt64)} AS few, {flag:Bool} AS flag',
      params: { text, texts: [text, 'b'], few: [1, 2 ** 53 - 1], flag: true },
      schema: z.object({
        text: z.string(),
        texts: z.array(z.string()),
        few: z.array(z.coerce.number()),
        flag: z.boolean(),
      }),
    })
    expect(row).toEqual({ text, texts: [text, 'b'], few: [1, 2 ** 53 - 1], flag: true })
  }
  const schema = z.object({ a: z.string() })
  await expect(telemetry.query({ query: 'SELECT nothing AS a FROM numbers(1)', schema })).rejects.toMatchObject({
    code: '47',
    type: 'UNKNOWN_IDENTIFIER',
  })
  await expect(telemetry.query({ query: 'SELECT {a:String} AS a', schema })).rejects.toThrow(/substitution/i)
  await expect(telemetry.query({ query: 'SELECT 1 AS a', params: { b: {} }, schema })).rejects.toThrow(/parameter/)
})

test('late reads of one turn are one statement with the results of each, and fail one by one', async () => {
  const asked: string[] = []
  const counted = {
    ...telemetry,
    query: query => {
      asked.push(query.query)
      return telemetry.query(query)
    },
    columns: query => {
      asked.push(query.query)
      return telemetry.columns(query)
    },
  } satisfies Telemetry
  const { soon, late: joined } = joinReads({ ...counted, readsAtOnce: 1 })
  const schema = z.object({ number: z.coerce.number(), name: z.string(), pairs: z.record(z.string(), z.string()) })
  const read = (from: number, limit: number) => ({
    query: `SELECT number, 'a "quoted" \\\\ ' || {from:String} AS name, map('k', name) AS pairs FROM numbers(5) WHERE number >= {from:UInt64} ORDER BY number DESC LIMIT {limit:UInt32}`,
    params: { from, limit },
    schema,
  })
  const shape = z.object({ name: z.array(z.string()), number: z.array(z.coerce.number()) })
  const [two, none, columns, empty] = await Promise.all([
    joined.query(read(1, 2)),
    joined.query(read(9, 2)),
    joined.columns({ ...read(2, 3), schema: shape }),
    joined.columns({ ...read(9, 3), schema: shape }),
  ])
  expect(asked).toHaveLength(1)
  expect([two, none]).toEqual(await Promise.all([telemetry.query(read(1, 2)), telemetry.query(read(9, 2))]))
  expect(two.map(({ number }) => number)).toEqual([4, 3])
  expect([columns, empty]).toEqual(
    await Promise.all([2, 9].map(from => telemetry.columns({ ...read(from, 3), schema: shape }))),
  )
  const [good, bad, strict] = await Promise.allSettled([
    joined.query(read(1, 1)),
    joined.query({ query: 'SELECT nothing AS a FROM numbers(1)', schema }),
    joined.query({ ...read(1, 1), schema: z.object({ missing: z.string() }) }),
  ])
  expect([good.status, bad.status, strict.status]).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await joined.query(read(4, 1))).toEqual(await telemetry.query(read(4, 1)))
  expect(asked.at(-1)).not.toContain('UNION ALL')
  // What is shown first is sent at once, each as a statement of its own, in whichever order they were asked for.
  asked.length = 0
  const found = await Promise.all([
    joined.query(read(3, 7)),
    soon.query(read(1, 1)),
    joined.query(read(3, 8)),
    soon.columns({ ...read(1, 2), schema: shape }),
  ])
  expect(asked.map(sql => sql.split('UNION ALL').length)).toEqual([1, 1, 2])
  expect(found).toEqual(
    await Promise.all([
      telemetry.query(read(3, 7)),
      telemetry.query(read(1, 1)),
      telemetry.query(read(3, 8)),
      telemetry.columns({ ...read(1, 2), schema: shape }),
    ]),
  )
  // A read that fails takes none of the others with it.
  const [failed, other] = await Promise.allSettled([
    soon.query({ query: 'SELECT nothing AS a FROM numbers(1)', schema }),
    joined.query(read(1, 1)),
  ])
  expect([failed.status, other.status]).toEqual(['rejected', 'fulfilled'])
  // An engine that reads side by side gets as many statements at once.
  asked.length = 0
  const { late: apart } = joinReads({ ...counted, readsAtOnce: 2 })
  const numbers = await Promise.all([0, 1, 2].map(from => apart.query(read(from, 1))))
  expect(numbers.map(([row]) => row?.name.at(-1))).toEqual(['0', '1', '2'])
  expect(asked).toHaveLength(2)
})

test('a read ends at the engine when its signal aborts, on every way to it', async () => {
  const gate = await gateTo('http://127.0.0.1:8123', () => connect(engine.socketPath))
  await gate.open()
  const byUrl = openTelemetry({ kind: 'url', url: gate.url })
  // Parameters that are too long for a URL take the client instead of the short way.
  const long = { padding: 'x'.repeat(600_000) }
  const ways = [
    { name: 'socket', store: telemetry, params: {} },
    { name: 'form', store: telemetry, params: long },
    { name: 'server', store: byUrl, params: {} },
  ]
  // Only these reads run meanwhile.
  const running = async () => {
    const rows = await telemetry.query({
      query: "SELECT count() AS found FROM system.processes WHERE query NOT LIKE '%system.processes%'",
      schema: z.object({ found: z.coerce.number() }),
    })
    return rows[0]?.found
  }
  for (const { name, store, params } of ways) {
    const gone = new AbortController()
    const padding = 'padding' in params ? 'length({padding:String}) > 0 AND' : ''
    const read = store.query({
      query: `SELECT count() AS n FROM numbers(1000000000000) WHERE ${padding} sipHash64(number, '${name}') = 1`,
      params,
      schema: z.object({ n: z.coerce.number() }),
      settings: { max_execution_time: 300 },
      signal: gone.signal,
    })
    const outcome = read.catch(() => 'ended')
    // The WebAssembly build runs nothing beside it.
    if (engine.build === 'native') await expect.poll(running).toBe(1)
    gone.abort(new Error('gone'))
    expect(await outcome).toBe('ended')
    await expect.poll(running).toBe(0)
  }
  await byUrl.close()
  await gate.close()
})
