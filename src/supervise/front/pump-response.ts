/**
 * Passes web's response on. Web is done as soon as main has the bytes: a page fits into what main holds for a slow reader, so that
 * reading slowly costs main some memory and web nothing. A reader that takes nothing at all is given up.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

const KiB = 1024
const maxHeldBytes = 512 * KiB
const maxHeldTogetherBytes = 96 * KiB * KiB
/** Once all together hold that much, each gets no more than this. */
const minHeldBytes = 64 * KiB
/** A reader that takes not one byte for one to two of these is gone. */
const readerIdleMs = 30_000

export type PumpResponse = (options: {
  response: IncomingMessage
  res: ServerResponse
  /** A live stream that is not read would only pile up: it is ended instead of held back. */
  isStream: boolean
  /** Called when the whole response is in main's hands. */
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

  return ({ response, res, isStream, onReceived }) => {
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
    timer ??= setInterval(tick, readerIdleMs).unref()

    response.on('data', (chunk: Buffer) => {
      res.write(chunk)
      writtenBytes += chunk.length
      recount()
      if (heldBytes <= (togetherBytes > maxHeldTogetherBytes ? minHeldBytes : maxHeldBytes)) return
      if (isStream) res.destroy()
      else response.pause()
    })
    res.on('drain', () => {
      recount()
      response.resume()
    })
    response.on('end', onReceived)
    // A response that breaks off must not look whole.
    response.on('close', () => response.complete || res.destroy())
    res.on('close', () => {
      checks.delete(check)
      togetherBytes -= heldBytes
      heldBytes = 0
    })
  }
}
