import { isObject, objectOf, textOf } from '#lib/json-value.ts'
import { readDebugId } from '#protocol/artifact-manifest.ts'
import type { StoredEvent } from '#protocol/event.ts'

/** Which debug id each file of an event has, as the SDK found them in the running code. */
export function debugIdsOf(event: StoredEvent): Map<string, string> {
  const images = objectOf(event.debug_meta)?.images
  const ids = new Map<string, string>()
  for (const image of Array.isArray(images) ? images : []) {
    if (!isObject(image) || image.type !== 'sourcemap') continue
    const file = textOf(image.code_file)
    const id = readDebugId(textOf(image.debug_id))
    if (file !== '' && id !== '') ids.set(file, id)
  }
  return ids
}
