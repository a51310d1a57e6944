/** Encodes a damaged body: usually plain or correctly compressed, sometimes compressed and then damaged again. */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Random } from './random.ts'

export type EncodedBody = { name: string; headers: Record<string, string>; body: Buffer }

const quickBrotli = (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

const codings: [string, (body: Buffer) => Buffer][] = [
  ['gzip', body => gzipSync(body, { level: 1 })],
  ['deflate', body => deflateSync(body, { level: 1 })],
  ['deflate', body => deflateRawSync(body, { level: 1 })],
  ['br', quickBrotli],
  ['zstd', body => zstdCompressSync(body)],
  ['gzip, br', body => quickBrotli(gzipSync(body, { level: 1 }))],
]

export function encodeBody(body: Buffer, random: Random): EncodedBody {
  if (random.chance(0.6)) return { name: 'plain', headers: {}, body }
  const [coding, compress] = random.pick(codings)
  const headers = { 'content-encoding': coding }
  if (random.chance(0.1)) return { name: `not really ${coding}`, headers, body }
  if (random.chance(0.05)) return { name: 'unknown encoding', headers: { 'content-encoding': 'lzma' }, body }
  const packed = compress(body)
  if (random.chance(0.15))
    return { name: `truncated ${coding}`, headers, body: packed.subarray(0, random.int(packed.length)) }
  if (random.chance(0.15)) return { name: `damaged ${coding}`, headers, body: damage(packed, random) }
  return { name: coding, headers, body: packed }
}

function damage(packed: Buffer, random: Random): Buffer {
  const copy = Buffer.from(packed)
  if (copy.length > 0) copy[random.int(copy.length)] = random.int(256)
  return copy
}
