/** A multipart body as it streams: one part after the other, each as chunks. Nothing is held but the end of the last chunk. */

export type Part = { headers: Map<string, string>; body: AsyncIterable<Buffer> }

const maxHeaderBytes = 8 * 1024 // a disposition and a type; a name of a few thousand characters is no name

/** `boundaryOf('multipart/form-data; boundary=abc')` is `abc`; null where there is none. */
export function boundaryOf(contentType: string): string | null {
  const found = /^multipart\/[\w-]+\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  return found?.[1] ?? found?.[2] ?? null
}

/** Throws an error with the code `multipart_invalid` where the body is not what it says. */
export async function* readMultipart(source: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const iterator = source[Symbol.asyncIterator]()
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  let held: Buffer = Buffer.from('\r\n') // so that the first delimiter looks like the others

  async function pull(): Promise<void> {
    const next = await iterator.next()
    if (next.done) throw invalid('it ends in the middle of a part')
    held = held.length === 0 ? Buffer.from(next.value) : Buffer.concat([held, next.value])
  }
  async function* upTo(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = held.indexOf(mark)
      const ready = held.subarray(0, at >= 0 ? at : Math.max(0, held.length - mark.length + 1))
      held = held.subarray(ready.length + (at >= 0 ? mark.length : 0))
      if (ready.length > 0) yield ready
      if (at >= 0) return
      await pull()
    }
  }
  async function take(count: number): Promise<string> {
    while (held.length < count) await pull()
    const text = held.toString('latin1', 0, count)
    held = held.subarray(count)
    return text
  }

  /** What follows the last boundary says nothing, but a source that is left before its end would not close. */
  async function drain(): Promise<void> {
    while (!(await iterator.next()).done);
  }

  for await (const preamble of upTo(delimiter)) if (preamble.length > maxHeaderBytes) throw invalid('it has no parts')
  for (;;) {
    const after = await take(2)
    if (after === '--') return drain()
    if (after !== '\r\n') throw invalid('a boundary is followed by something else than a line break')
    const headers = await readHeaders(upTo(Buffer.from('\r\n\r\n')))
    const body = upTo(delimiter)
    yield { headers, body }
    for await (const _ of body); // what was left unread
  }
}

async function readHeaders(chunks: AsyncIterable<Buffer>): Promise<Map<string, string>> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk.toString('latin1')
    if (text.length > maxHeaderBytes) throw invalid('a part has too long headers')
  }
  return new Map(
    text.split('\r\n').map(line => {
      const at = line.indexOf(':')
      return [line.slice(0, Math.max(0, at)).trim().toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
}

function invalid(what: string): Error {
  return Object.assign(new Error(`The multipart body is not valid: ${what}.`), { code: 'multipart_invalid' })
}
