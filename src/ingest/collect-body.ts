/** For the doors whose bodies are small by their nature: the whole body in memory, or null when the request was refused. */
import type { Admission } from './admit.ts'
import type { Exchange } from './exchange.ts'
import { giveUp } from './give-up.ts'
import { readBody } from './read-body.ts'

export async function collectBody(exchange: Exchange, admission: Admission, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  const fault = await readBody(exchange.req, { maxBytes, watch: exchange.house.watch }, chunk => {
    chunks.push(chunk)
    return true
  })
  if (fault === null) return Buffer.concat(chunks)
  giveUp(exchange, fault, null, admission, [])
  return null
}
