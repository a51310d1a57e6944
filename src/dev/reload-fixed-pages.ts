/**
 * A page that was open during a build with an error reloads after the next build without one. Next's own update for that includes the
 * module that could not be parsed, and the page throws its error instead of showing what was fixed.
 */
import { Transform } from 'node:stream'

/** Opcode of a text in one frame (RFC 6455). Next's messages are never split. */
const wholeText = 0x81
const reload = frame(JSON.stringify({ type: 'reloadPage' }))
/** A build's message begins with its type and lists only errors, so longer ones are something else. */
const readBytes = 1_000_000

/** For what a server sends over a WebSocket, from its first byte: the response to the upgrade, then frames. */
export function reloadFixedPages(): Transform {
  let isOpen = false
  let isFaulty = false
  let rest = Buffer.alloc(0)
  /** Of a frame too long to be read. */
  let skipped = 0

  /** Passes on whole frames. */
  function* pass(chunk: Buffer): Generator<Buffer> {
    const skips = Math.min(skipped, chunk.length)
    skipped -= skips
    if (skips > 0) yield chunk.subarray(0, skips)
    rest = Buffer.concat([rest, chunk.subarray(skips)])
    if (!isOpen) {
      const end = rest.indexOf('\r\n\r\n')
      if (end === -1) return
      isOpen = true
      yield rest.subarray(0, end + 4)
      rest = rest.subarray(end + 4)
    }
    for (let head = readHead(rest); head !== null; head = readHead(rest)) {
      const { start, end } = head
      if (end - start > readBytes) {
        skipped = Math.max(0, end - rest.length)
        yield rest.subarray(0, end)
        rest = rest.subarray(end)
        continue
      }
      if (rest.length < end) return
      const isText = rest[0] === wholeText
      const errors = isText ? readErrors(rest.toString('utf8', start, end)) : null
      yield rest.subarray(0, end)
      rest = rest.subarray(end)
      if (errors === null) continue
      if (isFaulty && errors === 0) yield reload
      isFaulty = errors > 0
    }
  }
  return new Transform({
    transform(chunk, _, done) {
      for (const part of pass(chunk)) this.push(part)
      done()
    },
    flush(done) {
      this.push(rest)
      done()
    },
  })
}

type Head = { start: number; end: number }

/** Where the payload of the first frame is; null if its head is not complete. A server does not mask. */
function readHead(bytes: Buffer): Head | null {
  const length = (bytes[1] ?? 0) & 0x7f
  const start = length === 127 ? 10 : length === 126 ? 4 : 2
  if (bytes.length < start) return null
  const size = start === 10 ? Number(bytes.readBigUInt64BE(2)) : start === 4 ? bytes.readUInt16BE(2) : length
  return { start, end: start + size }
}

/** How many errors a build has; null if the message is about something else. */
function readErrors(text: string): number | null {
  if (!/^\{"type":"(?:built|sync)"/.test(text)) return null
  const { errors } = JSON.parse(text) as { errors?: unknown }
  return Array.isArray(errors) ? errors.length : null
}

function frame(text: string): Buffer {
  const payload = Buffer.from(text)
  return Buffer.concat([Buffer.from([wholeText, payload.length]), payload]) // shorter than 126 bytes
}
