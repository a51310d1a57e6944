import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { maxBodyBytes } from './read-body.ts'

type Received = { kind: 'file'; path: string } | { kind: 'refused'; status: number; reason: string }

/** A request's body as a file of its own, which nothing syncs: should the machine stop, the sender has had no answer. */
export async function receiveRows(request: IncomingMessage, folder: string): Promise<Received> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'gzip')
    return { kind: 'refused', status: 415, reason: `Content-Encoding ${encoding} is not gzip` }
  const path = join(folder, randomUUID())
  const file = createWriteStream(path, { mode: 0o600 })
  try {
    if (encoding === 'gzip') await pipeline(request, createGunzip(), bounded, file)
    else await pipeline(request, bounded, file)
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
    if (sizeBytes > maxBodyBytes) throw new TooLarge(`A statement may have ${maxBodyBytes} bytes at most`)
    yield chunk
  }
}
