import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { EngineMemory, StatementResult } from './engine-driver.ts'
import { statementFromRequest } from './statement-from-request.ts'
import type { StatementQueue } from './statement-queue.ts'

const maxHeaderBytes = 1024 * 1024 // the query and its parameters may be in the URL

type EngineServerOptions = { queue: StatementQueue; incoming: string; memory: EngineMemory }

/** The part of ClickHouse's HTTP interface that @clickhouse/client uses. */
export function createEngineServer(options: EngineServerOptions): Server {
  const server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 0 }, (request, response) => {
    handleRequest(options, request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else sendFailure(response, String(error))
    })
  })
  server.keepAliveTimeout = 0 // the client closes idle sockets; if we did, a request could hit a closed one
  return server
}

async function handleRequest(
  { queue, incoming, memory }: EngineServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine')
  if (url.pathname === '/ping') {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' }).end('Ok.\n')
    return
  }
  if (url.pathname !== '/') {
    response.writeHead(404).end('Not found\n')
    return
  }
  response.setHeader('X-ClickHouse-Query-Id', url.searchParams.get('query_id') ?? crypto.randomUUID())
  response.setHeader('X-ClickHouse-Timezone', 'UTC')
  const requested = await statementFromRequest(request, url, { incoming, memory })
  if (requested.kind === 'refused') {
    sendFailure(response, `Code: 36. DB::Exception: ${requested.reason}. (BAD_ARGUMENTS)`, requested.status)
    return
  }
  const { statement } = requested
  const result = await queue.run(statement, closedSignal(response)).finally(() => {
    if (statement.rowsFile !== null) return rm(statement.rowsFile, { force: true })
  })
  if (result.kind === 'failed') {
    sendFailure(response, result.message)
    return
  }
  response.setHeader('X-ClickHouse-Format', outputFormat(statement.sql, statement.defaultFormat))
  sendResult(response, result)
}

/** Aborts when the client disconnects, so that its statement is not started or is cancelled. */
function closedSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) controller.abort(new Error('The client closed its connection'))
  })
  return controller.signal
}

function sendFailure(response: ServerResponse, thrown: string, fixedStatus?: number): void {
  const message = /^Code: \d+\./.test(thrown) ? thrown : nameSystemError(thrown)
  const { code, status } = exceptionStatus(message)
  response.writeHead(fixedStatus ?? status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(code),
  })
  response.end(`${message}\n`)
}

function sendResult(response: ServerResponse, result: StatementResult & { kind: 'done' }): void {
  const summary = {
    read_rows: String(result.readRows),
    read_bytes: String(result.readBytes),
    written_rows: String(result.writtenRows),
    written_bytes: '0',
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: String(result.bytes.byteLength),
    elapsed_ns: String(Math.round(result.elapsedMs * 1_000_000)),
  }
  response.writeHead(200, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': result.bytes.byteLength,
    'X-ClickHouse-Summary': JSON.stringify(summary),
  })
  response.end(result.bytes)
}

/** The format of the result: the query's FORMAT clause, otherwise the client's default. */
function outputFormat(sql: string, defaultFormat: string): string {
  const text = sql.trimEnd()
  const statement = text.endsWith(';') ? text.slice(0, -1).trimEnd() : text
  return /\bFORMAT\s+([A-Za-z0-9]+)$/i.exec(statement)?.[1] ?? defaultFormat
}

/** The HTTP status that ClickHouse uses for common error codes; everything else is 500. */
const statusByCode: Record<number, number> = {
  6: 400, // CANNOT_PARSE_TEXT
  16: 404, // NO_SUCH_COLUMN_IN_TABLE
  26: 400, // CANNOT_PARSE_QUOTED_STRING
  27: 400, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  38: 400, // CANNOT_PARSE_DATE
  41: 400, // CANNOT_PARSE_DATETIME
  42: 400, // NUMBER_OF_ARGUMENTS_DOESNT_MATCH
  43: 400, // ILLEGAL_TYPE_OF_ARGUMENT
  44: 400, // ILLEGAL_COLUMN
  46: 404, // UNKNOWN_FUNCTION
  47: 404, // UNKNOWN_IDENTIFIER
  50: 404, // UNKNOWN_TYPE
  53: 400, // TYPE_MISMATCH
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  72: 400, // CANNOT_PARSE_NUMBER
  81: 404, // UNKNOWN_DATABASE
  115: 404, // UNKNOWN_SETTING
  117: 400, // INCORRECT_DATA
  130: 400, // CANNOT_READ_ARRAY_FROM_TEXT
  159: 408, // TIMEOUT_EXCEEDED
  164: 403, // READONLY
  456: 400, // UNKNOWN_QUERY_PARAMETER
  457: 400, // BAD_QUERY_PARAMETER
}

/**
 * A file of the engine process that can't be written, such as the rows of an insert on a full disk, fails with an error of Node. It gets
 * the code of ClickHouse for that: without one, digest would take the rows for the reason and give them up.
 */
export function nameSystemError(message: string): string {
  const code = /^(?:Error: )?(E[A-Z0-9]{2,}): /.exec(message)?.[1]
  if (code === undefined) return `Code: 1002. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)`
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const [number, name] = isFull ? [243, 'NOT_ENOUGH_SPACE'] : [75, 'CANNOT_WRITE_TO_FILE_DESCRIPTOR']
  return `Code: ${number}. DB::Exception: ${message} (${name})`
}

type ExceptionStatus = { code: number; status: number }

function exceptionStatus(message: string): ExceptionStatus {
  const code = Number(/^Code: (\d+)\./.exec(message)?.[1] ?? 1002) // 1002 is ClickHouse's UNKNOWN_EXCEPTION
  return { code, status: statusByCode[code] ?? 500 }
}
