/** Reads the recording of a segment for the player: sanitized events as JSON, in the order in which they were recorded. */
import { isObject, type JsonObject, objectOf } from '#lib/json-value.ts'
import { inflateRecording, rrweb, splitEvents } from '#protocol/recording.ts'
import { addExtra, type Extras } from './read-extras.ts'
import { newPage, type PageState, sanitizeEvent } from './sanitize-event.ts'

/** Of one event. Larger ones are whole pages that no browser would show in time. */
const maxEventBytes = 16 * 1024 * 1024
/** Of all events of a replay, as the player gets them. */
const maxReplayBytes = 200 * 1024 * 1024

export type RecordingReader = { page: PageState; bytesLeft: number }

export const openRecording = ({ keepsRemote }: { keepsRemote: boolean }): RecordingReader => ({
  page: newPage(keepsRemote),
  bytesLeft: maxReplayBytes,
})

/** What the recorder hid, as its settings say. */
export type Masking = { text: boolean; inputs: boolean; media: boolean }

export type SegmentFrames = Extras & {
  /** Each is the JSON of one event. */
  frames: string[]
  masking: Masking | null
  /** Nodes and events that were left out because of a bound. */
  cut: number
  /** Of the recorded site, which were not loaded, on the page with the most of them so far. */
  stylesheets: number
  isReadable: boolean
}

export function readFrames(reader: RecordingReader, bytes: Buffer): SegmentFrames {
  const frames: string[] = []
  const plain = inflateRecording(bytes)
  const ranges = Buffer.isBuffer(plain) ? splitEvents(plain) : null
  const extras: Extras = { resources: [], memory: [] }
  if (!Buffer.isBuffer(plain) || ranges === null)
    return { ...extras, frames, masking: null, cut: 0, stylesheets: 0, isReadable: false }
  const cutBefore = reader.page.cut
  let masking: Masking | null = null
  for (const { start, end } of ranges) {
    if (end - start > maxEventBytes || reader.bytesLeft <= 0) {
      reader.page.cut += 1
      continue
    }
    const event = parse(plain.toString('utf8', start, end))
    if (event === null) continue
    masking ??= maskingOf(event)
    addExtra(extras, event)
    const frame = sanitizeEvent(event, reader.page)
    if (frame === null) continue
    const text = JSON.stringify(frame)
    reader.bytesLeft -= text.length
    frames.push(text)
  }
  const { cut, stylesheets } = reader.page
  return { ...extras, frames, masking, cut: cut - cutBefore, stylesheets, isReadable: true }
}

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function maskingOf({ type, data }: JsonObject): Masking | null {
  const payload =
    type === rrweb.custom && objectOf(data)?.tag === 'options' ? objectOf(objectOf(data)?.payload) : undefined
  if (payload === undefined) return null
  return {
    text: payload.maskAllText === true,
    inputs: payload.maskAllInputs === true,
    media: payload.blockAllMedia === true,
  }
}
