/** The client of the telemetry store: ClickHouse SQL with bound parameters. */
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client'
import { engineClientOptions } from '#engine/engine-client-options.ts'
import type { Query, Settings } from './query.ts'
import { openReadEngine, type ReadEngine } from './read-engine.ts'

export type TelemetryAddress = { kind: 'url'; url: string } | { kind: 'socket'; socketPath: string }

/** The engine responded with an error; its code tells whether the rows or the circumstances are the reason. */
export type TelemetryRefusal = { kind: 'refused'; code: string; message: string }
/** No response, or not in time: it is unknown whether the statement was executed. */
export type TelemetrySilence = {
  kind: 'silent'
  message: string
  /** The batch may have been too large: the embedded engine ended, so the statement no longer runs, or memory ran out. */
  isTooMuch?: boolean
}
export type InsertResult = { kind: 'done' } | TelemetryRefusal | TelemetrySilence

export type Telemetry = {
  /** How many statements it reads side by side. */
  readsAtOnce: number
  /** The schema describes one row. */
  query<Row>(query: Query<Row>): Promise<Row[]>
  /** For thousands of short rows: the result has an array per column, and the schema describes all of them. */
  columns<Columns>(query: Query<Columns>): Promise<Columns>
  command(statement: string, settings?: Settings): Promise<void>
  /** A string is rows as JSONCompactEachRow, a buffer is a block in the Native format (encode-rows.ts). */
  insert(insert: { table: string; columns: string[]; body: string | Buffer; token: string }): Promise<InsertResult>
  ping(): Promise<boolean>
  close(): Promise<void>
}

type ColumnsResult = { meta: { name: string }[]; data: Record<string, unknown[]> }

/** The time limit ends a read that could not be cancelled. */
const readSettings: Settings = { max_execution_time: 30, readonly: 2, output_format_json_quote_64bit_integers: 1 }
/** By default ClickHouse finishes a read whose client has disconnected. The embedded engine cancels it (`statement-queue.ts`). */
const serverSettings: Settings = { cancel_http_readonly_queries_on_client_close: 1 }
/** More than `readSlots`, so that reads never wait for a connection. */
const maxConnections = 12
const insertTimeoutMs = 120_000

export function openTelemetry(address: TelemetryAddress, lanes = 1): Telemetry {
  const client = createClient({
    ...(address.kind === 'url' ? { url: address.url } : engineClientOptions(address.socketPath)),
    request_timeout: insertTimeoutMs,
    max_open_connections: maxConnections,
    compression: { request: false, response: false },
    // Parameters that are too long for a URL go into the body: a list may name thousands of issues.
    use_multipart_params_auto: true,
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
    log: { level: 127 },
  })
  const source = { client, engine: address.kind === 'socket' ? openReadEngine(address.socketPath) : null }
  return {
    readsAtOnce: lanes,
    query: async query => {
      const rows = (await read(source, query, 'JSONEachRow')) as unknown[] // an array in this format
      return rows.map(row => query.schema.parse(row))
    },
    columns: async query => {
      const { meta, data } = (await read(source, query, 'JSONColumnsWithMetadata')) as ColumnsResult
      // Without rows the engine leaves the columns out.
      return query.schema.parse(Object.fromEntries(meta.map(({ name }) => [name, data[name] ?? []])))
    },
    command: async (statement, settings) => {
      await client.command({ query: statement, ...(settings ? { clickhouse_settings: settings } : {}) })
    },
    insert: insert => runInsert(client, insert, address.kind === 'socket'),
    ping: async () => (await client.ping()).success,
    close: () => {
      source.engine?.close()
      return client.close()
    },
  }
}

async function read(
  { client, engine }: { client: ClickHouseClient; engine: ReadEngine | null },
  { query, params = {}, settings, signal }: Omit<Query<unknown>, 'schema'>,
  format: 'JSONEachRow' | 'JSONColumnsWithMetadata',
): Promise<unknown> {
  const clickhouse_settings = { ...readSettings, ...(engine === null ? serverSettings : {}), ...settings }
  const text = await engine?.read({ query, params, settings: clickhouse_settings, signal }, format)
  if (typeof text === 'string') return format === 'JSONEachRow' ? readLines(text) : JSON.parse(text)
  const asked = { query, format, query_params: params, clickhouse_settings, ...(signal && { abort_signal: signal }) }
  const result = await client.query(asked)
  return result.json()
}

const readLines = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

/** `exec` instead of `insert`, which takes objects: the rows are already encoded. */
async function runInsert(
  client: ClickHouseClient,
  { table, columns, body, token }: Parameters<Telemetry['insert']>[0],
  isEmbedded: boolean,
): Promise<InsertResult> {
  try {
    const { stream } = await client.exec({
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT ${typeof body === 'string' ? 'JSONCompactEachRow' : 'Native'}`,
      values: Readable.from([body], { objectMode: false }),
      clickhouse_settings: {
        insert_deduplication_token: token,
        insert_deduplicate: 1,
        distributed_foreground_insert: 1,
        max_insert_block_size: '1000000',
        input_format_parallel_parsing: 0,
      },
    })
    stream.resume()
    return { kind: 'done' }
  } catch (error) {
    return toFailure(error, isEmbedded)
  }
}

/** A request ends like this when its server ends. With an external server it may be the network, and the statement continues. */
const endedCodes = new Set(['ECONNRESET', 'EPIPE'])

function toFailure(error: unknown, isEmbedded: boolean): TelemetryRefusal | TelemetrySilence {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ClickHouseError) return { kind: 'refused', code: error.code, message }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return { kind: 'silent', message, isTooMuch: isEmbedded && endedCodes.has(code) }
}

/** CLICKHOUSE_URL, otherwise the socket of the embedded engine in the data folder. */
export const telemetryAddress = ({
  dataDir,
  clickhouseUrl,
}: {
  dataDir: string
  clickhouseUrl: string | undefined
}): TelemetryAddress =>
  clickhouseUrl === undefined
    ? { kind: 'socket', socketPath: join(dataDir, 'run', 'engine.sock') }
    : { kind: 'url', url: clickhouseUrl }
