import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { reloadFixedPages } from './reload-fixed-pages.ts'

const upgraded = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n'
const built = (...errors: string[]) => JSON.stringify({ type: 'built', hash: '1', errors, warnings: [] })
const update = JSON.stringify({ type: 'turbopack-message', data: ['"errors":[]'.repeat(20_000)] })
const reload = JSON.stringify({ type: 'reloadPage' })

/** As a server sends it, in the shortest form of its length. */
function frame(text: string, opcode = 0x81): Buffer {
  const payload = Buffer.from(text)
  const [short, middle, long] = [Buffer.alloc(2), Buffer.alloc(4), Buffer.alloc(10)]
  short.set([opcode, Math.min(payload.length, 125)])
  middle.set([opcode, 126])
  middle.writeUInt16BE(Math.min(payload.length, 0xffff), 2)
  long.set([opcode, 127])
  long.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([payload.length < 126 ? short : payload.length < 0x10000 ? middle : long, payload])
}

/** In pieces of this size. */
function pass(frames: Buffer[], size: number): Promise<Buffer> {
  const sent = Buffer.concat([Buffer.from(upgraded), ...frames])
  const pieces = Array.from({ length: Math.ceil(sent.length / size) }, (_, at) =>
    sent.subarray(at * size, (at + 1) * size),
  )
  return buffer(Readable.from(pieces).pipe(reloadFixedPages()))
}

const fault = `./src/app/page.tsx:1 ${'Unterminated string constant. '.repeat(10)}`
const cases: [what: string, sent: string[], passed: string[]][] = [
  ['builds without an error', [built(), update, built()], [built(), update, built()]],
  [
    'an error that is fixed',
    [built(), built(fault), update, built()],
    [built(), built(fault), update, built(), reload],
  ],
  [
    'an error that is fixed in two edits',
    [built(fault), built(fault, fault), built(), built()],
    [built(fault), built(fault, fault), built(), reload, built()],
  ],
  [
    'a page that is opened with an error',
    [JSON.stringify({ type: 'sync', errors: [{}], hash: '' }), built()],
    [JSON.stringify({ type: 'sync', errors: [{}], hash: '' }), built(), reload],
  ],
  [
    'long messages',
    [built(fault), 'x'.repeat(1_500_000), update, built()],
    [built(fault), 'x'.repeat(1_500_000), update, built(), reload],
  ],
]

test.each(cases)('%s', async (_, sent, passed) => {
  const expected = Buffer.concat([Buffer.from(upgraded), ...passed.map(text => frame(text))])
  for (const size of [sent.join('').length < 5_000 ? 1 : 4_093, 65_536, 10_000_000])
    expect(
      (
        await pass(
          sent.map(text => frame(text)),
          size,
        )
      ).equals(expected),
      `pieces of ${size}`,
    ).toBe(true)
})

test('messages that are not text are passed on', async () => {
  const frames = [frame(built(fault)), frame(built(), 0x82), frame('', 0x89)]
  const expected = Buffer.concat([Buffer.from(upgraded), ...frames])
  expect((await pass(frames, 7)).equals(expected)).toBe(true)
})
