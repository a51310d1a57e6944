/** For the endpoints whose bodies are small by their nature: the whole body in memory, or null when the request was refused. */
import type { Admission } from './admit.ts'
import { hasRoomTogether } from './body-sink.ts'
import type { Exchange } from './exchange.ts'
import { giveUp } from './give-up.ts'
import { readBody } from './read-body.ts'
import { refusals } from './refusal.ts'

/** Only for a sender whose key is known. What is held counts with all other bodies until the request is over. */
export async function collectBody(
  exchange: Exchange,
  admission: Admission & { ok: true },
  maxBytes: number,
): Promise<Buffer | null> {
  const { req, res, route, house } = exchange
  const chunks: Buffer[] = []
  let heldBytes = 0
  let isOver = false
  res.once('close', () => {
    isOver = true
    house.memory.bytes -= heldBytes
  })
  const fault = await readBody(req, { maxBytes, watch: house.watch }, chunk => {
    if (isOver || !hasRoomTogether(house.memory, chunk.length)) return false
    chunks.push(chunk)
    heldBytes += chunk.length
    house.memory.bytes += chunk.length
    return true
  })
  if (fault === null) return Buffer.concat(chunks)
  const noRoom = route.door === 'cron' ? refusals.inboxFullForCron : refusals.inboxFull
  giveUp(exchange, fault, fault === 'stopped' ? noRoom : null, admission, [])
  return null
}
