/** Reads the body of a request in chunks: decompresses it, enforces the size limit and applies backpressure. */
import type { IncomingMessage } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { ScannedItem } from '#protocol/item-types.ts'
import type { Admission } from './admit.ts'
import { hasRoomTogether } from './body-sink.ts'
import { createDecoders } from './decoders.ts'
import { type Exchange, refuse } from './ingest-context.ts'
import { type Refusal, refusals } from './refusal.ts'
import type { SlowWatch } from './slow-clients.ts'

type BodyFault = 'too_large' | 'unknown_encoding' | 'bad_encoding' | 'timed_out' | 'aborted' | 'stopped'

type BodyBounds = {
  /** Applies to the bytes on the wire and to the decompressed body. */
  maxBytes: number
  watch: SlowWatch
}

/** `true`: continue. `false`: stop; the caller knows why. While a promise is pending, reading pauses; it must not reject. */
type TakeChunk = (chunk: Buffer) => boolean | Promise<boolean>

export function readBody(req: IncomingMessage, bounds: BodyBounds, take: TakeChunk): Promise<BodyFault | null> {
  const decoders = createDecoders(req.headers['content-encoding'])
  if (decoders === null) return Promise.resolve('unknown_encoding')
  if (Number(req.headers['content-length'] ?? 0) > bounds.maxBytes) return Promise.resolve('too_large')
  return new Promise(resolve => pump(req, decoders, bounds, take, resolve))
}

function pump(
  req: IncomingMessage,
  decoders: Duplex[],
  bounds: BodyBounds,
  take: TakeChunk,
  resolve: (fault: BodyFault | null) => void,
) {
  const source: Readable = decoders.at(-1) ?? req
  let bodyBytes = 0
  let isSettled = false
  let hasEnded = false
  const watched = bounds.watch.add(() => settle('timed_out'))

  function settle(fault: BodyFault | null) {
    if (isSettled) return
    isSettled = true
    bounds.watch.remove(watched)
    if (fault !== null) stopReading(req, decoders)
    resolve(fault)
  }

  function onData(chunk: Buffer) {
    if (isSettled) return
    watched.hasMoved = true
    bodyBytes += chunk.length
    if (bodyBytes > bounds.maxBytes) return settle('too_large')
    const taken = take(chunk)
    if (taken === true) return
    if (taken === false) return settle('stopped')
    watched.isPausedByUs = true
    source.pause()
    void taken.then(goOn => {
      watched.isPausedByUs = false
      watched.hasMoved = true
      if (!goOn) settle('stopped')
      else if (hasEnded) settle(null)
      else if (!isSettled) source.resume()
    })
  }

  source.on('data', onData)
  source.on('end', () => {
    hasEnded = true
    if (!watched.isPausedByUs) settle(null)
  })
  req.on('error', () => settle('aborted'))
  req.on('close', () => {
    if (!req.complete) settle('aborted')
  })
  if (decoders.length > 0)
    connect(req, decoders, bounds.maxBytes, settle, () => {
      watched.hasMoved = true
    })
}

function connect(
  req: IncomingMessage,
  decoders: Duplex[],
  maxBytes: number,
  settle: (fault: BodyFault) => void,
  onMove: () => void,
) {
  let wireBytes = 0
  req.on('data', (chunk: Buffer) => {
    onMove()
    wireBytes += chunk.length
    if (wireBytes > maxBytes) settle('too_large')
  })
  let stage: Readable = req
  for (const decoder of decoders) {
    decoder.on('error', () => settle('bad_encoding'))
    stage = stage.pipe(decoder)
  }
}

/** Unread data stays in the kernel's buffer, so the sender's TCP window closes by itself. */
function stopReading(req: IncomingMessage, decoders: Duplex[]) {
  req.unpipe()
  req.pause()
  for (const decoder of decoders) decoder.destroy()
}

/**
 * The whole body in memory, for endpoints with small bodies and only after the key was checked; null when the request was
 * refused. The body counts towards the memory of all requests until this one ends.
 */
export async function collectBody(
  exchange: Exchange,
  admission: Admission & { ok: true },
  maxBytes: number,
): Promise<Buffer | null> {
  const { req, res, route, context } = exchange
  const chunks: Buffer[] = []
  let heldBytes = 0
  let isOver = false
  res.once('close', () => {
    isOver = true
    context.memory.bytes -= heldBytes
  })
  const fault = await readBody(req, { maxBytes, watch: context.watch }, chunk => {
    if (isOver || !hasRoomTogether(context.memory, chunk.length)) return false
    chunks.push(chunk)
    heldBytes += chunk.length
    context.memory.bytes += chunk.length
    return true
  })
  if (fault === null) return Buffer.concat(chunks)
  const noRoom = route.endpoint === 'cron' ? refusals.inboxFullForCron : refusals.inboxFull
  giveUp(exchange, fault, fault === 'stopped' ? noRoom : null, admission, [])
  return null
}

const refusalOf: Record<BodyFault, Refusal> = {
  too_large: refusals.bodyTooLarge,
  unknown_encoding: refusals.unknownEncoding,
  bad_encoding: refusals.badEncoding,
  timed_out: refusals.timedOut,
  aborted: refusals.aborted,
  stopped: refusals.notStored,
}

/**
 * For an incomplete body. `refusal` is the caller's reason to stop. An abort is only counted for a known key, because the client
 * can't receive a response anymore.
 */
export function giveUp(
  exchange: Exchange,
  fault: BodyFault,
  refusal: Refusal | null,
  admission: Admission,
  items: ScannedItem[],
): void {
  if (fault === 'aborted' && !admission.ok) return
  refuse(exchange, refusal ?? refusalOf[fault], items)
}
