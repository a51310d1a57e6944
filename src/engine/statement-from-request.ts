import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import type { EngineMemory, Lane, Statement } from './engine-driver.ts'
import { isBinaryInsert, statementPrelude } from './statement.ts'

type RequestedStatement =
  | { kind: 'statement'; statement: Statement }
  | { kind: 'refused'; status: number; reason: string }

type Host = { incoming: string; memory: EngineMemory }

const nul = 0

const refused = (reason: string, status = 400): RequestedStatement => ({ kind: 'refused', status, reason })

/** The query is in the URL with rows in the body, or in the body, or in a form together with its parameters. */
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
    if (form === null) return refused('The multipart body is invalid')
    for (const [key, value] of form) parameters.append(key, typeof value === 'string' ? value : await value.text())
    bytes = new Uint8Array()
  }
  // The engine takes text as a C string and would silently drop everything after a NUL.
  if (bytes.includes(nul))
    return refused(
      'The body contains a NUL byte. The only supported binary format is Native, with its INSERT in the URL',
    )

  const urlQuery = parameters.get('query') ?? ''
  const isInsert = urlQuery !== '' && bytes.byteLength > 0 && statementLane(urlQuery) === 'write'
  const sql = isInsert ? urlQuery : `${urlQuery}\n${Buffer.from(bytes).toString()}`.trim()
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

/** Binary rows cannot be part of a statement's text: they are streamed into a file, which the engine reads. */
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

const readVerbs = new Set(['SELECT', 'WITH', 'SHOW', 'DESCRIBE', 'DESC', 'EXISTS', 'EXPLAIN', 'FROM', 'VALUES'])

const spaceAndComments = /^(?:\s+|--[^\n]*(?:\n|$)|#![^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|\()+/

/**
 * Reads run with `readonly`, so a wrong guess is not a security hole: the engine rejects a write that begins like a read.
 */
export function statementLane(sql: string): Lane {
  const verb = /^[A-Za-z]+/.exec(sql.replace(spaceAndComments, ''))?.[0].toUpperCase()
  return verb !== undefined && readVerbs.has(verb) ? 'read' : 'write'
}

type Received = { kind: 'file'; path: string } | { kind: 'refused'; status: number; reason: string }

/** Writes the body into a file. Without fsync: if the machine stops, the client has no response yet. */
async function receiveRows(request: IncomingMessage, folder: string): Promise<Received> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'gzip')
    return { kind: 'refused', status: 415, reason: `Content-Encoding ${encoding} is not gzip` }
  const path = join(folder, randomUUID())
  const file = createWriteStream(path, { mode: 0o600 })
  // A pipeline destroys what it reads when a write fails, and with the request its connection: the client would get no answer.
  const body = Readable.from(request.iterator({ destroyOnReturn: false }), { objectMode: false })
  try {
    if (encoding === 'gzip') await pipeline(body, createGunzip(), bounded, file)
    else await pipeline(body, bounded, file)
    return { kind: 'file', path }
  } catch (error) {
    await rm(path, { force: true })
    if (error instanceof TooLarge) return { kind: 'refused', status: 413, reason: error.message }
    throw error
  }
}

class TooLarge extends Error {}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let sizeBytes = 0
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBodyBytes) throw new TooLarge(`A statement may have at most ${maxBodyBytes} bytes`)
    yield chunk
  }
}

const maxBodyBytes = 512 * 1024 * 1024 // far above one digest batch; protects the engine's memory

type Body = { kind: 'body'; bytes: Uint8Array<ArrayBuffer> } | { kind: 'refused'; status: number; reason: string }

/** Reads the body into a separate buffer, which can be transferred to another thread without a copy. */
async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBodyBytes) {
      return { kind: 'refused', status: 413, reason: `A statement may have at most ${maxBodyBytes} bytes` }
    }
    chunks.push(chunk)
  }
  const encoding = request.headers['content-encoding']
  if (encoding === undefined) return { kind: 'body', bytes: joinChunks(chunks, sizeBytes) }
  if (encoding !== 'gzip') return { kind: 'refused', status: 415, reason: `Content-Encoding ${encoding} is not gzip` }
  try {
    const plain = await promisify(gunzip)(Buffer.concat(chunks, sizeBytes), { maxOutputLength: maxBodyBytes })
    return { kind: 'body', bytes: joinChunks([plain], plain.byteLength) }
  } catch {
    return { kind: 'refused', status: 400, reason: 'The body is not valid gzip, or too large' }
  }
}

function joinChunks(chunks: Buffer[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
