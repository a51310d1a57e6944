import { randomUUID } from 'node:crypto'
import { countRows } from '../count-rows.ts'
import type { EngineDriver, EngineMemory, Statement, StatementResult } from '../engine-driver.ts'
import { engineReadSlots } from '../engine-kind.ts'
import { engineServerSettings, engineVersion } from '../engine-settings.ts'
import { insertFromFile, insertTarget, readLock, setParameters } from '../statement.ts'
import { createKiller } from './kill-statements.ts'

/** The part of the package `chdb` that we use; its types are missing where only the WebAssembly build is installed. */
export type ChdbPackage = { Session: new (path: string, options?: { connectionArgs: string[] }) => ChdbSession }

type ChdbSession = {
  queryAsync(sql: string, options: { format: string }): Promise<ChdbResult>
  insert(insert: {
    table: string
    values: Uint8Array
    format: string
    columns?: string[]
  }): Promise<{ rowsWritten: number; elapsed: number }>
  close(): void
}

type ChdbResult = { elapsed: number; rowsRead: number; bytesRead: number; bytes(): Uint8Array }

const rawFormats = new Set(['JSONEachRow', 'JSONCompactEachRow', 'TabSeparated', 'TSV', 'CSV', 'CSVWithNames'])

const done = (result: ChdbResult, writtenRows: number): StatementResult => ({
  kind: 'done',
  bytes: result.bytes(),
  readRows: result.rowsRead,
  readBytes: result.bytesRead,
  writtenRows,
  elapsedMs: result.elapsed * 1000,
})

async function insertRows(session: ChdbSession, sql: string, body: Uint8Array): Promise<StatementResult> {
  const target = insertTarget(sql)
  if (target === null || !rawFormats.has(target.format)) {
    const text = `${sql}\n${Buffer.from(body).toString()}`
    return done(await session.queryAsync(text, { format: 'TSV' }), countRows(body))
  }
  const { table, columns, format } = target
  // The engine parses these bytes in place, without a copy or a string in JavaScript.
  const summary = await session.insert({ table, values: body, format, ...(columns && { columns }) })
  const elapsedMs = summary.elapsed * 1000
  return {
    kind: 'done',
    bytes: new Uint8Array(),
    readRows: 0,
    readBytes: 0,
    writtenRows: summary.rowsWritten,
    elapsedMs,
  }
}

/** `mark` is how `KILL QUERY` finds the statement: chDB has no way to give it an id. */
async function runOn(session: ChdbSession, statement: Statement, mark: string): Promise<StatementResult> {
  const { lane, sql, body, rowsFile, defaultFormat } = statement
  const parameters = setParameters(statement.parameters)
  const marked = parameters === '' ? `SET log_comment = '${mark}'` : `${parameters}, log_comment = '${mark}'`
  const prelude = [statement.prelude, ...(lane === 'read' ? [marked, readLock] : [parameters])]
    .filter(Boolean)
    .join('; ')
  try {
    // Saves a call. An insert needs a separate call, because its rows are the rest of the text.
    if (lane === 'read') return done(await session.queryAsync(`${prelude};\n${sql}`, { format: defaultFormat }), 0)
    await session.queryAsync(prelude, { format: 'TSV' })
    if (body !== null) return await insertRows(session, sql, body)
    if (rowsFile !== null) {
      const result = await session.queryAsync(insertFromFile(sql, rowsFile), { format: defaultFormat })
      return done(result, result.rowsRead)
    }
    return done(await session.queryAsync(sql, { format: defaultFormat }), 0)
  } catch (error) {
    // The binding throws every error of the engine.
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

/** chDB as a native library in this process. Connections to one data folder run concurrently. */
export async function openNativeDriver(
  chdb: ChdbPackage,
  dataPath: string,
  memory: EngineMemory,
): Promise<EngineDriver> {
  const connectionArgs = Object.entries(engineServerSettings(memory)).map(([key, value]) => `--${key}=${value}`)
  // Kept open: when the last connection closes, the engine closes its tables.
  const held = new chdb.Session(dataPath, { connectionArgs })

  const killer = createKiller(async marks => {
    const session = new chdb.Session(dataPath)
    try {
      const list = marks.map(mark => `'${mark}'`).join(', ')
      await session.queryAsync(`KILL QUERY WHERE Settings['log_comment'] IN (${list}) ASYNC`, { format: 'TSV' })
    } finally {
      session.close()
    }
  })

  async function run(statement: Statement, signal: AbortSignal): Promise<StatementResult> {
    const mark = randomUUID()
    const session = new chdb.Session(dataPath)
    // Writes are not killed: digest repeats them, and would meet a half-finished one.
    const kill = () => killer.add(mark)
    if (statement.lane === 'read') signal.addEventListener('abort', kill, { once: true })
    try {
      return await runOn(session, statement, mark)
    } finally {
      signal.removeEventListener('abort', kill)
      killer.remove(mark)
      session.close()
    }
  }

  return {
    build: 'native',
    memory,
    version: await engineVersion(run),
    slots: { read: engineReadSlots.native, write: 1, total: engineReadSlots.native + 1 }, // each blocks a thread of libuv's pool, which start-engine.ts makes larger than this
    run,
    close: async () => held.close(),
  }
}
