/** Content codings as streams, so that what a body inflates to passes by in pieces and can be stopped. */
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
/** 8 MiB: what RFC 8878 asks decoders to support. Without a bound, a frame's header may claim 128 MiB of memory. */
const zstdWindowLog = 23
/** Two are odd, three absurd; each costs a stream. */
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

/** In the order they must run: the last coding named was applied last. Null for a coding we do not know. */
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

/** The name means the zlib format, but some clients send bare deflate under it; the first byte tells them apart. */
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
