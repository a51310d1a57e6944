/**
 * Scrubs the custom events of a replay recording (rrweb type 5: console lines, requests with headers and bodies, clicks) and the URLs of
 * its pages (type 4). The rest is the page as its SDK has masked it, and stays byte by byte.
 */
import { deflateSync, inflateSync } from 'node:zlib'
import { isObject, type JsonObject, objectOf } from '#lib/json-value.ts'
import { hasShapes, scrubText } from '#scrubbing/scrub-text.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { Notes } from '../../notes.ts'
import { type OwnScrubbing, scrubOwnFields } from '../../own-rules/scrub-item.ts'

/** SDKs send a segment every few seconds, so usual ones have less than one. More would take the heap of digest. */
const maxPlainBytes = 32 * 1024 * 1024

type Scrubbed = { kind: 'same' } | { kind: 'changed'; bytes: Buffer } | { kind: 'unreadable' } | { kind: 'too_large' }

export function scrubRecording(bytes: Buffer, own: OwnScrubbing | null): Scrubbed {
  const isPlain = bytes[0] === bracket
  const plain = isPlain ? bytes : inflate(bytes)
  if (plain === null) return { kind: 'unreadable' }
  if (plain === 'too_large' || plain.length > maxPlainBytes) return { kind: 'too_large' }
  const ends = splitArray(plain)
  if (ends === null) return { kind: 'unreadable' }
  const parts: Buffer[] = []
  let from = 0
  for (const { start, end } of ends) {
    const event = scrubEvent(plain.subarray(start, end), own)
    if (event === 'unreadable') return { kind: 'unreadable' }
    if (event === null) continue
    parts.push(plain.subarray(from, start), event)
    from = end
  }
  if (parts.length === 0) return { kind: 'same' }
  const scrubbed = Buffer.concat([...parts, plain.subarray(from)])
  return { kind: 'changed', bytes: isPlain ? scrubbed : deflateSync(scrubbed) }
}

function inflate(bytes: Buffer): Buffer | 'too_large' | null {
  try {
    return inflateSync(bytes, { maxOutputLength: maxPlainBytes })
  } catch (error) {
    return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : null
  }
}

type Range = { start: number; end: number }

const [quote, backslash, comma, bracket] = [0x22, 0x5c, 0x2c, 0x5b]
const opens = new Set([0x7b, 0x5b])
const closes = new Set([0x7d, 0x5d])

/** The members of a JSON array, found without parsing: a snapshot of a page has megabytes. Null if the text is no array. */
function splitArray(text: Buffer): Range[] | null {
  const members: Range[] = []
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

/** Only events with one of these have anything to scrub. Inside of a text the quotes would be escaped. */
const marks = ['"payload"', '"href"'] as const

/** Null if nothing changes. */
function scrubEvent(bytes: Buffer, own: OwnScrubbing | null): Buffer | 'unreadable' | null {
  if (!marks.some(mark => bytes.includes(mark))) return null
  const text = bytes.toString('utf8')
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch {
    return 'unreadable'
  }
  const data = isObject(event) ? objectOf(event.data) : undefined
  if (!isObject(event) || data === undefined) return null
  const before = JSON.stringify(event)
  if (event.type === 5) scrubPayload(objectOf(data.payload), hasShapes(text), own)
  else if (event.type === 4 && typeof data.href === 'string') data.href = scrubUrl(data.href, hasShapes(text), own)
  else return null
  const after = JSON.stringify(event)
  return after === before ? null : Buffer.from(after)
}

/** A player needs the type, category and times of a payload; only these can hold what users wrote. */
const scrubbedFields = ['message', 'description', 'data'] as const

function scrubPayload(payload: JsonObject | undefined, mayHaveShapes: boolean, own: OwnScrubbing | null): void {
  if (payload === undefined) return
  const found: JsonObject = {}
  for (const field of scrubbedFields) if (payload[field] !== undefined) found[field] = payload[field]
  const notes = new Notes()
  cleanTree(found, '', mayHaveShapes, notes)
  scrubOwnFields(found, { own }, notes)
  for (const field of scrubbedFields) {
    if (found[field] !== undefined) payload[field] = found[field]
    else if (payload[field] !== undefined) delete payload[field]
  }
}

function scrubUrl(href: string, mayHaveShapes: boolean, own: OwnScrubbing | null): string {
  const found: JsonObject = { url: scrubText(href, mayHaveShapes) }
  scrubOwnFields(found, { own }, new Notes())
  return typeof found.url === 'string' ? found.url : ''
}
