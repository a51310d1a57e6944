/** Sends a recorded request unchanged to another Hydrant and DSN. */
import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { RecordedRequest } from '../fuzz/mutate.ts'
import { sendRequest } from '../send-request.ts'

const folder = new URL('../fixtures/captures/', import.meta.url).pathname
export const recordedKey = '0123456789abcdef0123456789abcdef'

export type Recipient = { url: string; projectId: number; publicKey: string }
type Recorded = { path: string; headers: Record<string, string> }

/** Headers that the new connection sets itself. */
const ownHeaders = new Set(['host', 'connection', 'content-length'])

export async function replayCapture(name: string, to: Recipient): Promise<{ status: number; text: string }> {
  const { path, headers, body } = aimCapture(name, to)
  return sendRequest(new URL(path, to.url), headers, body)
}

/** The recorded request for this recipient. */
export function aimCapture(name: string, to: Recipient): RecordedRequest {
  const recorded = JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Recorded
  const raw = readFileSync(`${folder}${name}.body`)
  const isGzip = recorded.headers['content-encoding'] === 'gzip'
  const plain = withDsn(isGzip ? gunzipSync(raw) : raw, to)
  const headers = Object.fromEntries(
    Object.entries(recorded.headers)
      .filter(([header]) => !ownHeaders.has(header))
      .map(([header, value]) => [header, value.replaceAll(recordedKey, to.publicKey)]),
  )
  const path = recorded.path.startsWith('/monitoring')
    ? '/tunnel/'
    : recorded.path.replace(/\/api\/\d+\//, `/api/${to.projectId}/`).replaceAll(recordedKey, to.publicKey)
  return { name, path, headers, body: isGzip ? gzipSync(plain) : plain }
}

/** Only the first line of an envelope contains the DSN. */
function withDsn(body: Buffer, { url, projectId, publicKey }: Recipient): Buffer {
  const end = body.indexOf(10)
  const dsn = `http://${publicKey}@${new URL(url).host}/${projectId}`
  const first = body
    .subarray(0, end)
    .toString()
    .replace(/"dsn":"[^"]*"/, `"dsn":"${dsn}"`)
  return Buffer.concat([Buffer.from(first), body.subarray(end)])
}
