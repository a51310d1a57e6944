import type { IncomingMessage } from 'node:http'
import type { Statement } from './engine-driver.ts'
import type { EngineMemory } from './engine-memory.ts'
import { isBinaryInsert } from './insert-target.ts'
import { readBody } from './read-body.ts'
import { receiveRows } from './receive-rows.ts'
import { statementLane } from './statement-lane.ts'
import { statementPrelude } from './statement-prelude.ts'

type RequestedStatement =
  | { kind: 'statement'; statement: Statement }
  | { kind: 'refused'; status: number; reason: string }

type Host = { incoming: string; memory: EngineMemory }

const nul = 0

const refused = (reason: string, status = 400): RequestedStatement => ({ kind: 'refused', status, reason })

/** The query stands in the URL, with rows in the body, or in the body alone, or in a form with its parameters. */
export async function statementFromRequest(
  request: IncomingMessage,
  url: URL,
  host: Host,
): Promise<RequestedStatement> {
  const parameters = url.searchParams
  if (isBinaryInsert(parameters.get('query') ?? '')) return statementWithFile(request, parameters, host)
  const body = await readBody(request)
  if (body.kind === 'refused') return body
  let bytes = body.bytes
  const contentType = request.headers['content-type'] ?? ''
  if (contentType.startsWith('multipart/form-data')) {
    const form = await parseForm(bytes, contentType)
    if (form === null) return refused('The multipart body cannot be read')
    for (const [key, value] of form) parameters.append(key, typeof value === 'string' ? value : await value.text())
    bytes = new Uint8Array()
  }
  // Text reaches the engine as a C string: behind a NUL the rest would be lost without a word.
  if (bytes.includes(nul))
    return refused(
      'The body contains a NUL byte; of formats that are no text, only Native is taken, with its insert in the URL',
    )

  const named = parameters.get('query') ?? ''
  const isInsert = named !== '' && bytes.byteLength > 0 && statementLane(named) === 'write'
  const sql = isInsert ? named : `${named}\n${Buffer.from(bytes).toString()}`.trim()
  if (sql === '') return refused('Empty query')
  if (sql.includes('\0')) return refused('The query contains a NUL byte')
  const lane = statementLane(sql)
  const prelude = statementPrelude(parameters, lane, host.memory)
  if (prelude.kind === 'refused') return refused(prelude.reason)
  const defaultFormat = parameters.get('default_format') ?? 'TabSeparated'
  return {
    kind: 'statement',
    statement: {
      lane,
      prelude: prelude.sql,
      parameters: prelude.parameters,
      sql,
      body: isInsert ? bytes : null,
      rowsFile: null,
      defaultFormat,
    },
  }
}

/** What is no text cannot reach the engine within a statement: it goes into a file, straight from the socket, and is read from there. */
async function statementWithFile(
  request: IncomingMessage,
  parameters: URLSearchParams,
  { incoming, memory }: Host,
): Promise<RequestedStatement> {
  const prelude = statementPrelude(parameters, 'write', memory)
  if (prelude.kind === 'refused') return refused(prelude.reason)
  const received = await receiveRows(request, incoming)
  if (received.kind === 'refused') return received
  return {
    kind: 'statement',
    statement: {
      lane: 'write',
      prelude: prelude.sql,
      parameters: prelude.parameters,
      sql: parameters.get('query') ?? '',
      body: null,
      rowsFile: received.path,
      defaultFormat: parameters.get('default_format') ?? 'TabSeparated',
    },
  }
}

async function parseForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData | null> {
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  } catch {
    return null
  }
}
