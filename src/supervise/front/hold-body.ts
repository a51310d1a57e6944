/** Reads a body into memory before web is troubled: a sender that dribbles or stays silent costs main a buffer, never a connection to web. */
import type { IncomingMessage } from 'node:http'
import type { SlowWatch } from '#ingest/slow-watch.ts'

const KiB = 1024
const MiB = 1024 * KiB
/** Forms and API calls are a few KB. Next itself refuses actions above 1 MB. */
const maxHeldBytes = 1 * MiB
const maxHeldPerAddressBytes = 8 * MiB
const maxHeldTogetherBytes = 64 * MiB

export type HeldBody =
  | { kind: 'whole'; bytes: Buffer }
  /** It is longer than what is held: what has come so far, the rest is still in the paused request. */
  | { kind: 'begun'; bytes: Buffer }
  | { kind: 'failed'; fault: 'too_much_at_once' | 'timed_out' | 'aborted' }

export type BodyHolder = (req: IncomingMessage, address: string) => Promise<HeldBody>

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
        if (togetherBytes > maxHeldTogetherBytes || (perAddress.get(address) ?? 0) > maxHeldPerAddressBytes)
          settle({ kind: 'failed', fault: 'too_much_at_once' })
        else if (bytes > maxHeldBytes) settle({ kind: 'begun', bytes: Buffer.concat(chunks) })
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
