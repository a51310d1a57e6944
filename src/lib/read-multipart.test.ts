import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMultipart } from './read-multipart.ts'

const boundary = '----x'
const contentType = `multipart/form-data; boundary=${boundary}`

function write(parts: { name: string; bytes: Uint8Array }[]): Buffer {
  const written = parts.map(({ name, bytes }) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]),
  )
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)])
}

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readAll(source: AsyncIterable<Uint8Array>) {
  const parts: { filename: string; bytes: Buffer }[] = []
  for await (const { filename, body } of readMultipart(source, contentType)) {
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(Buffer.from(chunk))
    parts.push({ filename, bytes: Buffer.concat(chunks) })
  }
  return parts
}

test('parts come out as they went in, wherever the network cuts them', async () => {
  const nasty = fc.constantFrom('\r\n', '\r\n--', '----x', '\r\n----', '-').map(text => Buffer.from(text))
  const piece = fc.oneof(fc.uint8Array({ maxLength: 40 }), nasty)
  const body = fc.array(piece, { maxLength: 6 }).map(pieces => Buffer.concat(pieces))
  await fc.assert(
    fc.asyncProperty(fc.array(body, { maxLength: 4 }), fc.integer({ min: 1, max: 60 }), async (bodies, size) => {
      fc.pre(bodies.every(bytes => !Buffer.concat([bytes, Buffer.from('\r\n')]).includes(`\r\n--${boundary}`)))
      const parts = bodies.map((bytes, at) => ({ name: `part${at}`, bytes }))
      const read = await readAll(cut(write(parts), size))
      expect(read.map(({ bytes }) => bytes.toString('hex'))).toEqual(bodies.map(bytes => bytes.toString('hex')))
      expect(read.map(({ filename }) => filename)).toEqual(parts.map(({ name }) => name))
    }),
  )
})

test('a part that nobody reads does not hide the next one', async () => {
  const names: string[] = []
  const bytes = write([
    { name: 'a', bytes: Buffer.alloc(1000, 1) },
    { name: 'b', bytes: Buffer.alloc(10, 2) },
  ])
  for await (const { filename } of readMultipart(cut(bytes, 100), contentType)) names.push(filename)
  expect(names).toEqual(['a', 'b'])
})

test('a body that breaks off, or is none, is refused with a code', async () => {
  const whole = write([{ name: 'a', bytes: Buffer.from('abc') }])
  for (const bytes of [whole.subarray(0, -10), Buffer.from('hello'), Buffer.alloc(0)]) {
    await expect(readAll(cut(bytes, 7))).rejects.toMatchObject({ code: 'multipart_invalid' })
  }
})

test('headers without end are refused before they fill the memory', async () => {
  const endless = Buffer.concat([Buffer.from(`--${boundary}\r\n`), Buffer.alloc(20_000, 97)])
  await expect(readAll(cut(endless, 1000))).rejects.toMatchObject({ code: 'multipart_invalid' })
})

test('a part without a file name is refused', async () => {
  const field = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--${boundary}--\r\n`)
  await expect(readAll(cut(field, 7))).rejects.toMatchObject({ code: 'multipart_invalid' })
})

test('what the source throws arrives as it is, also in the middle of a part', async () => {
  async function* source() {
    yield write([{ name: 'a', bytes: Buffer.alloc(1_000) }]).subarray(0, 500)
    throw Object.assign(new Error('too much'), { code: 'request_too_large' })
  }
  await expect(readAll(source())).rejects.toMatchObject({ code: 'request_too_large' })
})

test('a reader that leaves early ends its source', async () => {
  let isEnded = false
  async function* source() {
    try {
      for (;;) yield write([{ name: 'a', bytes: Buffer.alloc(70_000) }])
    } finally {
      isEnded = true
    }
  }
  for await (const { filename } of readMultipart(source(), contentType)) {
    expect(filename).toBe('a')
    break
  }
  expect(isEnded).toBe(true)
})

test('a source is read to its end, beyond the last boundary', async () => {
  let isRead = false
  async function* source() {
    yield* cut(write([{ name: 'a', bytes: Buffer.from('one') }]), 10)
    yield Buffer.from('of no meaning')
    isRead = true
  }
  expect((await readAll(source())).length).toBe(1)
  expect(isRead).toBe(true)
})
