/** The telemetry store as the rest of the house knows it: ClickHouse SQL with bound parameters over one client. */

import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client'
import type { ZodType } from 'zod'
import { engineClientOptions } from '#engine/engine-client-options.ts'

export type TelemetryAddress = { kind: 'url'; url: string } | { kind: 'socket'; socketPath: string }
export type Settings = Record<string, string | number | boolean>

/** The engine answered, and said no. Whether it is about the rows, or about the moment, the code tells. */
export type TelemetryRefusal = { kind: 'refused'; code: string; message: string }
/** Nobody answered, or not in time: whether the statement was carried out is unknown. */
export type TelemetrySilence = {
  kind: 'silent'
  message: string
  /** It may have been too much at once: the embedded engine ended, so nothing of the statement goes on, or memory ran out. */
  isTooMuch?: boolean
}
export type InsertResult = { kind: 'done' } | TelemetryRefusal | TelemetrySilence

type Query<Answer> = {
  query: string
  params?: Record<string, unknown>
  schema: ZodType<Answer>
  settings?: Settings
}

export type Telemetry = {
  /** The schema is that of one row. */
  query<Row>(query: Query<Row>): Promise<Row[]>
  /** For thousands of short rows: each column is an array, and the schema that of all of them by name. */
  columns<Columns>(query: Query<Columns>): Promise<Columns>
  command(statement: string, settings?: Settings): Promise<void>
  /** Text is rows as JSONCompactEachRow, bytes are a block in the engine's own format (encode-rows.ts). */
  insert(insert: { table: string; columns: string[]; body: string | Buffer; token: string }): Promise<InsertResult>
  ping(): Promise<boolean>
  close(): Promise<void>
}

type ColumnsAnswer = { meta: { name: string }[]; data: Record<string, unknown[]> }

/** Reading a month for a page must not hold a connection for ever: aborting the client does not stop the query. */
const readSettings: Settings = { max_execution_time: 30, readonly: 2, output_format_json_quote_64bit_integers: 1 }
const insertTimeoutMs = 120_000

export function openTelemetry(place: TelemetryAddress): Telemetry {
  const client = createClient({
    ...(place.kind === 'url' ? { url: place.url } : engineClientOptions(place.socketPath)),
    request_timeout: insertTimeoutMs,
    max_open_connections: 8,
    compression: { request: false, response: false },
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
    log: { level: 127 },
  })
  return {
    query: async query => {
      const rows = (await read(client, query, 'JSONEachRow')) as unknown[] // as that format is read
      return rows.map(row => query.schema.parse(row))
    },
    columns: async query => {
      const { meta, data } = (await read(client, query, 'JSONColumnsWithMetadata')) as ColumnsAnswer
      // Of no rows at all, the engine leaves the columns out.
      return query.schema.parse(Object.fromEntries(meta.map(({ name }) => [name, data[name] ?? []])))
    },
    command: async (statement, settings) => {
      await client.command({ query: statement, ...(settings ? { clickhouse_settings: settings } : {}) })
    },
    insert: insert => runInsert(client, insert, place.kind === 'socket'),
    ping: async () => (await client.ping()).success,
    close: () => client.close(),
  }
}

async function read(
  client: ClickHouseClient,
  { query, params = {}, settings }: Omit<Query<unknown>, 'schema'>,
  format: 'JSONEachRow' | 'JSONColumnsWithMetadata',
): Promise<unknown> {
  const clickhouse_settings = { ...readSettings, ...settings }
  const result = await client.query({ query, format, query_params: params, clickhouse_settings })
  return result.json()
}

/** `exec` and not `insert`: the rows are bytes already, and `insert` would want them as objects again. */
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
    return judgeFailure(error, isEmbedded)
  }
}

/** How a request ends whose server has ended. Of a server elsewhere it may be the network, and the statement goes on without us. */
const endedCodes = new Set(['ECONNRESET', 'EPIPE'])

function judgeFailure(error: unknown, isEmbedded: boolean): TelemetryRefusal | TelemetrySilence {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ClickHouseError) return { kind: 'refused', code: error.code, message }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return { kind: 'silent', message, isTooMuch: isEmbedded && endedCodes.has(code) }
}

/** A server where one is named, else the embedded engine's socket in the data folder. */
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
