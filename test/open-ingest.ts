/** A real server on loopback with an inbox in memory and spool files in a temporary folder, for tests of ingest. */
import { closeSync, fsyncSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InboxRecord } from '#inbox/record.ts'
import { createIngest } from '#ingest/create-ingest.ts'
import type { IngestOptions, KeyState, SpoolWriter } from '#ingest/ports.ts'
import type { Outcome } from '#lib/outcome.ts'
import { readEnvelope, readEnvelopeFile } from '#protocol/read-envelope.ts'

export const publicKey = '0123456789abcdef0123456789abcdef'
export const disabledKey = 'd'.repeat(32)
export const otherKey = 'e'.repeat(32)
export const internalKey = 'f'.repeat(32)
export const deletedKey = 'c'.repeat(32)

const keys: (KeyState & { publicKey: string })[] = [
  { keyId: 1, projectId: 42, publicKey, isActive: true, eventsPerMinute: 0, isInternal: false, isDeleted: false },
  { keyId: 2, projectId: 43, publicKey, isActive: true, eventsPerMinute: 0, isInternal: false, isDeleted: false },
  {
    keyId: 3,
    projectId: 42,
    publicKey: disabledKey,
    isActive: false,
    eventsPerMinute: 0,
    isInternal: false,
    isDeleted: false,
  },
  {
    keyId: 4,
    projectId: 44,
    publicKey: otherKey,
    isActive: true,
    eventsPerMinute: 3,
    isInternal: false,
    isDeleted: false,
  },
  {
    keyId: 5,
    projectId: 45,
    publicKey: internalKey,
    isActive: true,
    eventsPerMinute: 0,
    isInternal: true,
    isDeleted: false,
  },
  {
    keyId: 6,
    projectId: 46,
    publicKey: deletedKey,
    isActive: true,
    eventsPerMinute: 0,
    isInternal: false,
    isDeleted: true,
  },
]

export type Reply = { status: number; headers: IncomingHttpHeaders; body: string }
export type LogLine = { level: string; message: string; [field: string]: unknown }

export async function openIngest(change: Partial<IngestOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-ingest-'))
  const records: InboxRecord[] = []
  const outcomes: Outcome[] = []
  const lines: LogLine[] = []
  const state = { isFull: false, isBroken: false, acknowledged: 0, now: Date.UTC(2026, 10, 15, 12, 0, 0) }
  const logAt = (level: string) => (fields: object, message: string) => void lines.push({ ...fields, level, message })

  const ingest = createIngest({
    keyCache: {
      find: (projectId, key) => keys.find(row => row.projectId === projectId && row.publicKey === key) ?? null,
      findByKey: key => keys.find(row => row.publicKey === key) ?? null,
      hasProject: projectId => keys.some(row => row.projectId === projectId),
      refresh: async () => {},
    },
    inbox: {
      async append(record) {
        if (state.isBroken) throw new Error('no space left on device')
        records.push({ head: record.head, body: Buffer.from(record.body) })
      },
      spool: async () => spoolTo(folder),
      isFull: () => state.isFull,
    },
    outcomes: { count: outcome => void outcomes.push(outcome) },
    metrics: { acknowledged: { inc: () => void state.acknowledged++ } },
    log: { info: logAt('info'), warn: logAt('warn'), error: logAt('error') },
    clock: { now: () => state.now },
    config: {
      publicUrl: 'http://127.0.0.1:9111',
      trustedProxies: [],
      limits: { keyEventsPerMinute: 0, projectEventsPerMinute: 0 },
    },
    ...change,
  })
  const server = createServer((req, res) => (ingest.handles(req) ? ingest.handle(req, res) : res.writeHead(418).end()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    port,
    folder,
    records,
    outcomes,
    lines,
    state,
    send: (path: string, body?: Buffer | string, headers: Record<string, string> = {}, method = 'POST') =>
      sendRequest(port, path, body, headers, method),
    /** The envelope of the record at `index`, from the log or from its spool file. */
    envelope(index = 0) {
      const record = records[index]
      if (record === undefined) throw new Error(`no record ${index} was appended`)
      const { spool } = record.head
      return spool === undefined ? readEnvelope(record.body) : readEnvelopeFile(join(folder, spool.name))
    },
    spoolFiles: () => readdirSync(folder),
    async close() {
      ingest.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type IngestUnderTest = Awaited<ReturnType<typeof openIngest>>

let spoolNumber = 0

function spoolTo(folder: string): SpoolWriter {
  const name = `spool-${++spoolNumber}`
  const path = join(folder, name)
  const file = openSync(path, 'w')
  let sizeBytes = 0
  let isOpen = true
  const shut = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return {
    name,
    async write(chunk) {
      sizeBytes += writeSync(file, chunk)
    },
    async finish() {
      fsyncSync(file)
      shut()
      return { name, sizeBytes }
    },
    async discard() {
      shut()
      rmSync(path, { force: true })
    },
  }
}

export function sendRequest(
  port: number,
  path: string,
  body: Buffer | string | undefined,
  headers: Record<string, string>,
  method: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const req = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, res => {
      const chunks: Buffer[] = []
      res.on('data', chunk => chunks.push(chunk))
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    req.on('error', reject)
    req.end(body)
  })
}

export const eventEnvelope = (text = 'hello') =>
  `{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n{"type":"event"}\n${JSON.stringify({ message: text })}\n`

export const envelopePath = `/api/42/envelope/?sentry_key=${publicKey}&sentry_version=7`
