/**
 * Scrubs the custom events of a replay recording (rrweb type 5: console lines, requests with headers and bodies, clicks) and the URLs of
 * its pages (type 4). The rest is the page as its SDK has masked it, and stays byte by byte.
 */
import { deflateSync } from 'node:zlib'
import { isObject, type JsonObject, objectOf } from '#lib/json-value.ts'
import { inflateRecording, maxPlainBytes, splitEvents } from '#protocol/recording.ts'
import { hasShapes, scrubText } from '#scrubbing/scrub-text.ts'
import { cleanTree } from '../../normalize/clean-tree.ts'
import { Notes } from '../../notes.ts'
import { type OwnScrubbing, scrubOwnFields } from '../../own-rules/scrub-item.ts'

/** `events` are those of types 4 and 5, as they are stored: they say what the user did. */
type Scrubbed =
  | { kind: 'same'; events: JsonObject[] }
  | { kind: 'changed'; bytes: Buffer; events: JsonObject[] }
  | { kind: 'unreadable' }
  | { kind: 'too_large' }

export function scrubRecording(bytes: Buffer, own: OwnScrubbing | null): Scrubbed {
  const isPlain = bytes[0] === 0x5b
  const plain = inflateRecording(bytes)
  if (plain === null) return { kind: 'unreadable' }
  if (plain === 'too_large' || plain.length > maxPlainBytes) return { kind: 'too_large' }
  const ends = splitEvents(plain)
  if (ends === null) return { kind: 'unreadable' }
  const parts: Buffer[] = []
  const events: JsonObject[] = []
  let from = 0
  for (const { start, end } of ends) {
    const found = scrubEvent(plain.subarray(start, end), own)
    if (found === 'unreadable') return { kind: 'unreadable' }
    if (found === null) continue
    events.push(found.event)
    if (found.bytes === null) continue
    parts.push(plain.subarray(from, start), found.bytes)
    from = end
  }
  if (parts.length === 0) return { kind: 'same', events }
  const scrubbed = Buffer.concat([...parts, plain.subarray(from)])
  return { kind: 'changed', bytes: isPlain ? scrubbed : deflateSync(scrubbed), events }
}

/** Only events with one of these have anything to scrub. Inside of a text the quotes would be escaped. */
const marks = ['"payload"', '"href"'] as const

type ScrubbedEvent = { event: JsonObject; bytes: Buffer | null }

/** Null for an event without anything to scrub; `bytes` is null if nothing changes. */
function scrubEvent(bytes: Buffer, own: OwnScrubbing | null): ScrubbedEvent | 'unreadable' | null {
  if (!marks.some(mark => bytes.includes(mark))) return null
  const text = bytes.toString('utf8')
  let event: unknown
  let before: string
  try {
    event = JSON.parse(text)
    // Values that are nested too deep can be parsed, and not written again.
    before = JSON.stringify(event)
  } catch {
    return 'unreadable'
  }
  const data = isObject(event) ? objectOf(event.data) : undefined
  if (!isObject(event) || data === undefined) return null
  if (event.type === 5) scrubPayload(objectOf(data.payload), hasShapes(text), own)
  else if (event.type === 4 && typeof data.href === 'string') data.href = scrubUrl(data.href, hasShapes(text), own)
  else return null
  const after = JSON.stringify(event)
  return { event, bytes: after === before ? null : Buffer.from(after) }
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
