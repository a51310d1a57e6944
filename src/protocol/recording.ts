/**
 * A replay recording: one JSON array of rrweb events, plain or deflated. Times of `breadcrumb` and `options` events are milliseconds,
 * those of `performanceSpan` events are seconds, and times within a payload are always seconds.
 */
import { inflateSync } from 'node:zlib'

/** SDKs send a segment every few seconds, so usual ones have less than one. More would take the heap of digest. */
export const maxPlainBytes = 32 * 1024 * 1024

/** The types of rrweb events that this code names. */
export const rrweb = { fullSnapshot: 2, incremental: 3, meta: 4, custom: 5, plugin: 6 } as const

/** Seconds or milliseconds since 1970, as milliseconds: seconds have 10 digits until 2286. */
export const recordedMs = (time: number): number => (time < 1e11 ? time * 1_000 : time)

/** The JSON of a recording; null if it cannot be read. */
export function inflateRecording(bytes: Buffer): Buffer | 'too_large' | null {
  if (bytes[0] === bracket) return bytes
  try {
    return inflateSync(bytes, { maxOutputLength: maxPlainBytes })
  } catch (error) {
    return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : null
  }
}

export type EventRange = { start: number; end: number }

const [quote, backslash, comma, bracket] = [0x22, 0x5c, 0x2c, 0x5b]
const opens = new Set([0x7b, 0x5b])
const closes = new Set([0x7d, 0x5d])

/** Finds the members of a JSON array without parsing: a snapshot of a page has megabytes. Null if the text is not an array. */
export function splitEvents(text: Buffer): EventRange[] | null {
  const members: EventRange[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0
    if (byte === quote) {
      at = endOfString(text, at)
      if (at === -1) return null
    } else if (opens.has(byte)) {
      if (++depth > 1) continue
      if (byte !== bracket) return null
      start = at + 1
    } else if (closes.has(byte)) {
      if (--depth < 0) return null
      if (depth === 0) {
        members.push({ start, end: at })
        return hasOnlyBlanks(text, at + 1) ? members : null
      }
    } else if (byte === comma && depth === 1) {
      members.push({ start, end: at })
      start = at + 1
    }
  }
  return null
}

function endOfString(text: Buffer, start: number): number {
  for (let at = text.indexOf(quote, start + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}

const hasOnlyBlanks = (text: Buffer, from: number): boolean => text.subarray(from).toString('latin1').trim() === ''
