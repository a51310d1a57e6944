/** A multipart body as it streams: one file after the other, each as chunks. */
import { on } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'

export type Part = { name: string; filename: string; body: AsyncIterable<Buffer> }

/** A disposition and a type fit in this, and a name of thousands of characters is refused. */
const limits = { headerPairs: 20, headerSize: 8 * 1024 }

/** Throws an error with the code `multipart_invalid` where the body is not what `contentType` says, and what `source` throws. */
export async function* readMultipart(source: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<Part> {
  const parser = openParser(contentType)
  let isAborted = false
  const fed = pipeline(Readable.from(source, { objectMode: false }), parser).catch((error: unknown) => {
    if (!isAborted) parser.destroy(error as Error)
  })
  // A file that is being read does not end by itself when the parser does.
  let open: Readable | null = null
  parser.on('error', error => open?.destroy(error as Error))
  parser.on('field', () => parser.destroy(invalid('a part has no file name')))
  try {
    for await (const [name, body, filename] of on(parser, 'file', { close: ['finish'] }) as AsyncIterable<
      [string, Readable, string | undefined]
    >) {
      open = body
      yield { name, filename: filename ?? '', body: readBody(body) }
      body.resume() // what was left unread
    }
  } catch (error) {
    throw withCode(error)
  } finally {
    isAborted = true
    parser.destroy()
    await fed
  }
}

async function* readBody(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (error) {
    throw withCode(error)
  }
}

function openParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch (error) {
    throw withCode(error)
  }
}

/** Errors of the source have a code; the parser's have none. */
function withCode(error: unknown): unknown {
  if (error instanceof Error) return 'code' in error ? error : invalid(error.message)
  return error
}

function invalid(reason: string): Error {
  return Object.assign(new Error(`The multipart body is not valid: ${reason}.`), { code: 'multipart_invalid' })
}
