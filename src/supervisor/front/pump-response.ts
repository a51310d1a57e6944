/**
 * Passes web's response on. Web is done as soon as main has the bytes: a page fits into what main holds for a slow reader, so that
 * reading slowly costs main some memory and web nothing. A reader that takes nothing at all is given up.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SlowWatch } from '#ingest/slow-clients.ts'

const KiB = 1024
const maxHeldBytes = 512 * KiB
const maxHeldTogetherBytes = 96 * KiB * KiB
/** Once all together hold that much, each gets no more than this. */
const minHeldBytes = 64 * KiB
/** A reader that takes not one byte for one to two of these is gone. */
const readerIdleMs = 30_000

type PumpResponse = (options: {
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

/* Reads a body into memory before web is troubled: a sender that dribbles or stays silent costs main a buffer, never a connection to web. */

const MiB = 1024 * KiB
/** Forms and API calls are a few KB. Next itself refuses actions above 1 MB. */
const maxBodyBytes = 1 * MiB
const maxHeldPerAddressBytes = 8 * MiB
const maxBodiesBytes = 64 * MiB

export type HeldBody =
  | { kind: 'whole'; bytes: Buffer }
  /** It is longer than what is held: what has come so far, the rest is still in the paused request. */
  | { kind: 'begun'; bytes: Buffer }
  | { kind: 'failed'; fault: 'too_much_at_once' | 'timed_out' | 'aborted' }

type BodyHolder = (req: IncomingMessage, address: string) => Promise<HeldBody>

/** Memory is counted until `release`: whoever got a body calls it when the body has been passed on. */
export function createBodyHolder(watch: SlowWatch): {
  hold: BodyHolder
  release(address: string, body: HeldBody): void
} {
  const perAddress = new Map<string, number>()
  let togetherBytes = 0

  function count(address: string, change: number): void {
    togetherBytes += change
    const bytes = (perAddress.get(address) ?? 0) + change
    if (bytes > 0) perAddress.set(address, bytes)
    else perAddress.delete(address)
  }

  function hold(req: IncomingMessage, address: string): Promise<HeldBody> {
    return new Promise(resolve => {
      const chunks: Buffer[] = []
      let bytes = 0
      const watched = watch.add(() => settle({ kind: 'failed', fault: 'timed_out' }))

      function settle(body: HeldBody): void {
        watch.remove(watched)
        req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
        if (body.kind !== 'whole') req.pause()
        if (body.kind === 'failed') count(address, -bytes)
        resolve(body)
      }
      function onData(chunk: Buffer): void {
        watched.hasMoved = true
        chunks.push(chunk)
        bytes += chunk.length
        count(address, chunk.length)
        if (togetherBytes > maxBodiesBytes || (perAddress.get(address) ?? 0) > maxHeldPerAddressBytes)
          settle({ kind: 'failed', fault: 'too_much_at_once' })
        else if (bytes > maxBodyBytes) settle({ kind: 'begun', bytes: Buffer.concat(chunks) })
      }
      const onEnd = () => settle({ kind: 'whole', bytes: Buffer.concat(chunks) })
      const onClose = () => settle({ kind: 'failed', fault: 'aborted' })

      req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
    })
  }

  return {
    hold,
    release(address, body) {
      if (body.kind !== 'failed') count(address, -body.bytes.length)
    },
  }
}
