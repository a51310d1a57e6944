import { isObject } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { addRow } from '../add-row.ts'
import { blobKey } from '../blob-key.ts'
import { discard } from '../discard.ts'
import { loadBytes } from '../read/load-bytes.ts'
import { maxJsonBytes, parseJson, sizeOf } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'
import { profileRow } from './profile-row.ts'

/** A whole profile or a chunk of a running one: the samples are a blob, the row says where it belongs. */
export function understandProfile(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  // Above that only the row's finer columns are lost; holding 50 MiB of parsed samples would cost the heap ten times as much.
  const isReadable = sizeOf(item.payload) <= maxJsonBytes
  const payload = isReadable ? parseJson(loadBytes(item.payload)) : null
  if (isReadable && payload === null) {
    discard(context, item, 'invalid_json')
    return
  }
  if (payload !== null && !isObject(payload.value)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const key = blobKey('profile', itemIndex, context)
  context.out.blobs.push({ key, source: item.payload })
  const profile = payload !== null && isObject(payload.value) ? payload.value : {}
  addRow(context.out, 'profiles', profileRow(profile, item, itemIndex, key, context))
}
