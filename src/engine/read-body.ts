import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

export const maxBodyBytes = 512 * 1024 * 1024 // far above one digest batch; a bound for the engine's memory

type Body = { kind: 'body'; bytes: Uint8Array<ArrayBuffer> } | { kind: 'refused'; status: number; reason: string }

/** The whole body in one buffer of its own, which can then be handed to another thread without a copy. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBodyBytes) {
      return { kind: 'refused', status: 413, reason: `A statement may have ${maxBodyBytes} bytes at most` }
    }
    chunks.push(chunk)
  }
  const encoding = request.headers['content-encoding']
  if (encoding === undefined) return { kind: 'body', bytes: join(chunks, sizeBytes) }
  if (encoding !== 'gzip') return { kind: 'refused', status: 415, reason: `Content-Encoding ${encoding} is not gzip` }
  try {
    const plain = await promisify(gunzip)(Buffer.concat(chunks, sizeBytes), { maxOutputLength: maxBodyBytes })
    return { kind: 'body', bytes: join([plain], plain.byteLength) }
  } catch {
    return { kind: 'refused', status: 400, reason: 'The body is not valid gzip, or too large' }
  }
}

function join(chunks: Buffer[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
