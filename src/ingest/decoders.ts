/** Content codings as streams, so that decompression can be stopped when a body becomes too large. */
import { Duplex } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

const chunkBytes = 32 * 1024
/** 8 MiB, which RFC 8878 asks decoders to support. Without a limit, a frame header may claim 128 MiB of memory. */
const zstdWindowLog = 23
/** Each coding costs a stream, and no real client uses more than one. */
const maxCodings = 3

const decoders = new Map<string, () => Duplex>([
  ['gzip', () => createGunzip({ chunkSize: chunkBytes })],
  ['x-gzip', () => createGunzip({ chunkSize: chunkBytes })],
  ['deflate', createDeflateDecoder],
  ['br', () => createBrotliDecompress({ chunkSize: chunkBytes })],
  [
    'zstd',
    () => createZstdDecompress({ chunkSize: chunkBytes, params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } }),
  ],
])

/** In decoding order: the coding that is named last was applied last. Null for an unknown coding. */
export function createDecoders(contentEncoding: string | undefined): Duplex[] | null {
  if (contentEncoding === undefined) return []
  const names = contentEncoding
    .split(',')
    .map(name => name.trim().toLowerCase())
    .filter(name => name !== '' && name !== 'identity')
  if (names.length > maxCodings) return null
  const makers = names.reverse().map(name => decoders.get(name))
  return makers.every(maker => maker !== undefined) ? makers.map(maker => maker()) : null
}

/** `deflate` means the zlib format, but some clients send raw deflate; the first byte tells them apart. */
function createDeflateDecoder(): Duplex {
  let inner: ReturnType<typeof createInflate> | null = null

  function start(firstByte: number | undefined) {
    const isZlib = firstByte !== undefined && (firstByte & 0x0f) === 8 && firstByte >> 4 <= 7
    const stream = isZlib ? createInflate({ chunkSize: chunkBytes }) : createInflateRaw({ chunkSize: chunkBytes })
    stream.on('data', (chunk: Buffer) => {
      if (!outer.push(chunk)) stream.pause()
    })
    stream.on('error', error => outer.destroy(error))
    return stream
  }

  const outer: Duplex = new Duplex({
    read() {
      inner?.resume()
    },
    write(chunk: Buffer, _encoding, done) {
      inner ??= start(chunk[0])
      if (inner.write(chunk)) done()
      else inner.once('drain', done)
    },
    final(done) {
      inner ??= start(undefined)
      inner.once('end', () => outer.push(null))
      inner.end()
      done()
    },
    destroy(error, done) {
      inner?.destroy()
      done(error)
    },
  })
  return outer
}
