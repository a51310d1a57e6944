/**
 * Passes web's response on. Main buffers a whole page for a slow client, so web is done at once and a slow client costs only main's
 * memory. A client that reads nothing at all is disconnected.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

const KiB = 1024
const maxHeldBytes = 512 * KiB
const maxHeldTogetherBytes = 96 * KiB * KiB
/** The buffer of each response once all of them together exceed `maxHeldTogetherBytes`. */
const minHeldBytes = 64 * KiB
/** A client that reads no byte for one to two of these intervals is disconnected. */
const clientIdleMs = 30_000

type PumpResponse = (options: {
  response: IncomingMessage
  res: ServerResponse
  /** A live stream that nobody reads would pile up: it is closed instead of paused. */
  isStream: boolean
  /** Called when the rest of the response waits for the client. */
  onSlow(): void
  /** Called when main has the whole response. */
  onReceived(): void
}) => void

export function createResponsePump(): PumpResponse {
  const checks = new Set<() => void>()
  let timer: NodeJS.Timeout | null = null
  let togetherBytes = 0

  function tick(): void {
    for (const check of checks) check()
    if (checks.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  return ({ response, res, isStream, onSlow, onReceived }) => {
    let heldBytes = 0
    let writtenBytes = 0
    let readBytes = -1

    function recount(): void {
      togetherBytes += res.writableLength - heldBytes
      heldBytes = res.writableLength
    }
    function check(): void {
      const readNow = writtenBytes - res.writableLength
      if (res.writableLength > 0 && readNow === readBytes) res.destroy()
      readBytes = readNow
    }
    checks.add(check)
    timer ??= setInterval(tick, clientIdleMs).unref()

    response.on('data', (chunk: Buffer) => {
      res.write(chunk)
      writtenBytes += chunk.length
      recount()
      if (heldBytes <= (togetherBytes > maxHeldTogetherBytes ? minHeldBytes : maxHeldBytes)) return
      if (isStream) res.destroy()
      else {
        response.pause()
        onSlow()
      }
    })
    res.on('drain', () => {
      recount()
      response.resume()
    })
    response.on('end', onReceived)
    // A response that breaks off must not look complete.
    response.on('close', () => response.complete || res.destroy())
    res.on('close', () => {
      checks.delete(check)
      togetherBytes -= heldBytes
      heldBytes = 0
    })
  }
}
