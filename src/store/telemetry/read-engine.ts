/**
 * Reads from the embedded engine without the client's ceremony: that waits for a timer before each request, which comes late while a
 * page is rendered, and takes a millisecond and a half of its thread. Everything else goes through the client.
 */
import { Agent, type IncomingMessage, request } from 'node:http'
import { parseError } from '@clickhouse/client'
import type { Query } from './query.ts'

const maxSockets = 32 // more than the engine runs at once, so that statements wait in its queue, which is fair
const timeoutMs = 120_000
const maxUrlChars = 500_000 // the engine takes a megabyte

export type ReadEngine = {
  /** Null if its parameters are too long for a URL. */
  read(query: Omit<Query<unknown>, 'schema'>, format: string): Promise<string> | null
  close(): void
}

export function openReadEngine(socketPath: string): ReadEngine {
  const agent = new Agent({ keepAlive: true, maxSockets })
  return {
    read: ({ query, params = {}, settings = {}, signal }, format) => {
      const url = new URLSearchParams({ default_format: format })
      for (const [name, value] of Object.entries(settings)) url.append(name, formatSetting(value))
      for (const [name, value] of Object.entries(params)) url.append(`param_${name}`, formatParameter(value))
      const path = `/?${url}`
      if (path.length > maxUrlChars) return null
      return send({ agent, socketPath, path, ...(signal && { signal }) }, query)
    },
    close: () => agent.destroy(),
  }
}

/** When `signal` aborts, the connection is closed, which ends the statement. */
type Target = { agent: Agent; socketPath: string; path: string; signal?: AbortSignal }

/** A kept socket may have been closed by an engine that has ended: a read is sent once more. */
function send(target: Target, query: string, isRepeat = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...target, method: 'POST', timeout: timeoutMs }, response => {
      receive(response).then(resolve, reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('Timeout error.')))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const wasClosed = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      if (wasClosed && !isRepeat) send(target, query, true).then(resolve, reject)
      else reject(error)
    })
    sent.end(query)
  })
}

async function receive(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  if (response.statusCode === 200) return text
  throw parseError(text)
}

const formatSetting = (value: string | number | boolean): string =>
  value === true ? '1' : value === false ? '0' : `${value}`

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' }
const escapeText = (text: string): string => text.replace(/[\t\n\r'\\]/g, character => escapes[character] ?? character)

/** As the engine parses the value of a parameter: text is escaped, and within a list also quoted. */
function formatParameter(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (Array.isArray(value)) return `[${value.map(formatElement).join(',')}]`
  return typeof value === 'boolean'
    ? value
      ? '1'
      : '0'
    : typeof value === 'string'
      ? escapeText(value)
      : formatNumber(value)
}

function formatElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value)) return `[${value.map(formatElement).join(',')}]`
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return typeof value === 'string' ? `'${escapeText(value)}'` : formatNumber(value)
}

function formatNumber(value: unknown): string {
  if (value === Number.POSITIVE_INFINITY) return '+inf'
  if (value === Number.NEGATIVE_INFINITY) return '-inf'
  if (typeof value === 'number') return Number.isNaN(value) ? 'nan' : String(value)
  if (typeof value === 'bigint') return String(value)
  throw new Error(`A parameter is neither a text, a number, a flag nor a list of these: ${typeof value}`)
}
