/** Bodies that nobody should keep in memory: 200 MB of a breadcrumb's text, and the same as a decompression bomb of 200 KB. */
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'

const MiB = 1024 * 1024
const bodyBytes = 200 * MiB
const piece = Buffer.alloc(64 * 1024, 'x')
const envelopeHead = Buffer.from('{"event_id":"d69729e500a942499332f78b0217b180"}\n{"type":"event"}\n{"message":"')

export type Oversized = 'plain' | 'bomb'
let bombBytes: Buffer | null = null

/** The status of the answer; 0 when the connection was closed without one. */
export function sendOversized(kind: Oversized, { port, path }: { port: number; path: string }): Promise<number> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk.toString('latin1')
      socket.destroy()
    })
    socket.on('error', () => undefined) // the server may hang up on us in the middle: that is one of its right answers
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)))
    const encoding = kind === 'bomb' ? 'Content-Encoding: gzip\r\n' : ''
    socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n${encoding}\r\n`)
    if (kind === 'bomb') {
      bombBytes ??= gzipSync(Buffer.concat([envelopeHead, Buffer.alloc(bodyBytes, 'x')]))
      sendChunk(bombBytes)
      socket.write('0\r\n\r\n')
      return
    }
    sendChunk(envelopeHead)
    let sentBytes = 0
    const pump = (): void => {
      while (!socket.destroyed && sentBytes < bodyBytes) {
        sentBytes += piece.length
        if (!sendChunk(piece)) return void socket.once('drain', pump)
      }
      if (!socket.destroyed) socket.write('0\r\n\r\n')
    }
    pump()

    function sendChunk(bytes: Buffer): boolean {
      socket.write(`${bytes.length.toString(16)}\r\n`)
      socket.write(bytes)
      return socket.write('\r\n')
    }
  })
}
