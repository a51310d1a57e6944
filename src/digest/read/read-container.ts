/** The entries of a v2 container (`{ version, items }`), whichever type they have. An SDK of old sends one entry alone. */
import { isObject } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrub/scrub-shapes.ts'
import { discard } from '../discard.ts'
import type { RecordContext } from '../record-context.ts'
import { type InferSettings, readInferSettings } from './infer-settings.ts'
import { readJsonItem } from './read-json.ts'

export type Container = {
  entries: unknown[]
  isSingle: boolean
  settings: InferSettings
  mayHaveShapes: boolean
}

/** Null when there is nothing to read; the outcome is counted then. */
export function readContainer(item: EnvelopeItem, context: RecordContext): Container | null {
  const payload = readJsonItem(item, context)
  if (payload === null) return null
  const { value } = payload
  if (!isObject(value)) {
    discard(context, item, 'invalid_payload')
    return null
  }
  const isSingle = !Array.isArray(value.items)
  const entries = Array.isArray(value.items) ? value.items : [value]
  if (entries.length === 0) {
    discard(context, item, 'empty', 1)
    return null
  }
  return { entries, isSingle, settings: readInferSettings(value), mayHaveShapes: hasShapes(payload.text) }
}
