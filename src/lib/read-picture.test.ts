import { expect, test } from 'vitest'
import { mayBePicture, pictureTailBytes, readPicture } from './read-picture.ts'

const read = (bytes: Buffer) =>
  readPicture({ head: bytes, tail: bytes.subarray(-pictureTailBytes), sizeBytes: bytes.length })

const png = (width: number, height: number, rest = ''): Buffer => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  const start = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  return Buffer.concat([
    start,
    size,
    Buffer.from('0802000000aabbccdd', 'hex'),
    Buffer.from('0000000049454e44ae426082', 'hex'),
    Buffer.from(rest),
  ])
}

const jpeg = (width: number, height: number, before = Buffer.alloc(0)): Buffer => {
  const frame = Buffer.from('ffc0000b08000000000100000000', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from('ffd8', 'hex'), before, frame, Buffer.from('ffda0000ffd9', 'hex')])
}

function webp(chunk: 'VP8 ' | 'VP8L' | 'VP8X', fill: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write(`WEBP${chunk}`, 8, 'latin1')
  fill(bytes)
  return bytes
}

test('pictures are known by their bytes, with their size', () => {
  expect(read(png(80, 50))).toEqual({ type: 'image/png', width: 80, height: 50 })
  expect(read(jpeg(640, 480))).toEqual({ type: 'image/jpeg', width: 640, height: 480 })
  // An APP1 segment of 100 bytes, and fill bytes before the next marker.
  const segment = Buffer.concat([Buffer.from('ffe10064', 'hex'), Buffer.alloc(98, 0x41), Buffer.from('ffff', 'hex')])
  expect(read(jpeg(640, 480, segment))).toEqual({ type: 'image/jpeg', width: 640, height: 480 })
  const lossy = webp('VP8 ', bytes => {
    bytes.writeUInt16LE(320, 26)
    bytes.writeUInt16LE(200, 28)
  })
  const lossless = webp('VP8L', bytes => void bytes.writeUInt32LE(319 | (199 << 14), 21))
  const extended = webp('VP8X', bytes => {
    bytes.writeUIntLE(319, 24, 3)
    bytes.writeUIntLE(199, 27, 3)
  })
  for (const bytes of [lossy, lossless, extended])
    expect(read(bytes)).toEqual({ type: 'image/webp', width: 320, height: 200 })
})

test('a file of another type, with the wrong end or without a size is not a picture', () => {
  const files: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    gif: Buffer.from('GIF89a/*'),
    'PNG with a page behind it': png(80, 50, '<script>alert(1)</script>'),
    'PNG that was cut': png(80, 50).subarray(0, -1),
    'PNG without width': png(0, 50),
    'signature only': png(80, 50).subarray(0, 8),
    'JPEG with a ZIP behind it': Buffer.concat([jpeg(1, 1), Buffer.from('PK\u0003\u0004')]),
    'JPEG without a frame': Buffer.from('ffd8ffda0000ffd9', 'hex'),
    'JPEG whose segments lead nowhere': Buffer.from('ffd8ffe1fffff0f0f0f0ffd9', 'hex'),
    'WebP that is longer than it says': Buffer.concat([webp('VP8L', () => {}), Buffer.from('<html>')]),
    'WebP of another kind': webp('VP8X', bytes => void bytes.write('ALPH', 12)),
    'sound in RIFF': Buffer.from('RIFF\u0024\0\0\0WAVEfmt '),
  }
  for (const [name, bytes] of Object.entries(files)) expect(read(bytes), name).toBeNull()
})

test('any prefix and any changed byte of a picture is read without an error', () => {
  for (const whole of [png(80, 50), jpeg(640, 480), webp('VP8X', () => {})])
    for (let at = 0; at < whole.length; at++) {
      read(whole.subarray(0, at))
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(whole)
        changed[at] = value
        read(changed)
      }
    }
})

test('the first 16 bytes tell whether the rest is worth reading', () => {
  for (const bytes of [png(1, 1), jpeg(1, 1), webp('VP8 ', () => {})])
    expect(mayBePicture(bytes.subarray(0, 16))).toBe(true)
  for (const text of ['', 'log line', 'RIFF', '<svg']) expect(mayBePicture(Buffer.from(text))).toBe(false)
})
