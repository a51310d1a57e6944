/** Reads a request body into memory before web gets the request: a slow or silent client costs main a buffer, not a connection to web. */
import type { IncomingMessage } from 'node:http'
import type { SlowWatch } from '#ingest/slow-clients.ts'

const MiB = 1024 * 1024
/** Forms and API calls are a few KB. Next refuses server actions above 1 MB. */
const maxBodyBytes = 1 * MiB
const maxHeldPerAddressBytes = 8 * MiB
const maxBodiesBytes = 64 * MiB

export type HeldBody =
  | { kind: 'whole'; bytes: Buffer }
  /** Longer than `maxBodyBytes`: the beginning, with the rest still in the paused request. */
  | { kind: 'begun'; bytes: Buffer }
  | { kind: 'failed'; fault: 'too_much_at_once' | 'timed_out' | 'aborted' }

type BodyHolder = (req: IncomingMessage, address: string) => Promise<HeldBody>

/** Call `release` when the body has been passed on: until then it counts towards the memory limits. */
export function createBodyHolder(watch: SlowWatch): {
  hold: BodyHolder
  release(address: string, body: HeldBody): void
} {
  const perAddress = new Map<string, number>()
  let totalBytes = 0

  function count(address: string, change: number): void {
    totalBytes += change
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
        if (totalBytes > maxBodiesBytes || (perAddress.get(address) ?? 0) > maxHeldPerAddressBytes)
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
