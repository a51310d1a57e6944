import { countOf, objectOf } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { blobKey } from '../blob-key.ts'
import { loadBytes } from '../read/load-bytes.ts'
import { parseJson } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'
import type { BlobSource } from '../yield.ts'

export type Recording = { key: string; source: BlobSource; sizeBytes: number; segmentId: number | null }

/** Bytes. The line before the recording is `{"segment_id":0}`. */
const maxHeaderBytes = 1_024

/** A recording is a line of JSON and then rrweb's events, deflated or plain. The blob holds the events alone. */
export function readRecording(item: EnvelopeItem, itemIndex: number, context: RecordContext): Recording {
  const { payload } = item
  const head = loadBytes(payload, maxHeaderBytes)
  const lineEnd = head[0] === 0x7b ? head.indexOf(0x0a) : -1
  const header = lineEnd === -1 ? undefined : objectOf(parseJson(head.subarray(0, lineEnd))?.value)
  const skip = lineEnd + 1
  const source: BlobSource =
    payload.kind === 'bytes'
      ? { kind: 'bytes', bytes: payload.bytes.subarray(skip) }
      : { ...payload, start: payload.start + skip }
  return {
    key: blobKey('replay', itemIndex, context),
    source,
    sizeBytes: source.kind === 'bytes' ? source.bytes.length : source.end - source.start,
    segmentId: header?.segment_id === undefined ? null : countOf(header.segment_id, 4_294_967_295),
  }
}
