import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { StatementResult } from './engine-driver.ts'
import type { EngineMemory } from './engine-memory.ts'
import { exceptionStatus } from './exception-status.ts'
import { outputFormat } from './output-format.ts'
import { statementFromRequest } from './statement-from-request.ts'
import type { StatementQueue } from './statement-queue.ts'

const maxHeaderBytes = 1024 * 1024 // the query and its parameters may stand in the URL

type ServerParts = { queue: StatementQueue; incoming: string; memory: EngineMemory }

/** The part of ClickHouse's HTTP interface that @clickhouse/client uses. */
export function createEngineServer(parts: ServerParts): Server {
  const server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 0 }, (request, response) => {
    answer(parts, request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else sendFailure(response, `Code: 1002. DB::Exception: ${String(error)}. (UNKNOWN_EXCEPTION)`)
    })
  })
  server.keepAliveTimeout = 0 // the client ends idle sockets; if we did, a request could meet a closed one
  return server
}

async function answer(
  { queue, incoming, memory }: ServerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine')
  if (url.pathname === '/ping') {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' }).end('Ok.\n')
    return
  }
  if (url.pathname !== '/') {
    response.writeHead(404).end(`There is no ${url.pathname} here\n`)
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

/** Aborts when the client goes away, so that nothing is started, or kept running, for nobody. */
function closedSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) controller.abort(new Error('The client closed its connection'))
  })
  return controller.signal
}

function sendFailure(response: ServerResponse, message: string, fixedStatus?: number): void {
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
