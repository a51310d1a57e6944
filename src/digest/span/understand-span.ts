import { isObject } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { mayHoldSecrets } from '#scrub/scrub-text.ts'
import { discard } from '../discard.ts'
import { readJsonItem } from '../read/read-json.ts'
import { addRow, type RecordContext } from '../record-context.ts'
import { readInferSettings } from './infer-client.ts'
import { legacySpanRow } from './legacy-span-row.ts'
import { streamedSpanRow } from './streamed-span-row.ts'

/** A v2 container of streamed spans, or one span of an older SDK: without a list of items it is the latter. */
export function understandSpan(item: EnvelopeItem, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  const hasSecrets = mayHoldSecrets(payload.text)
  const container = payload.value
  if (!isObject(container)) {
    discard(context, item, 'invalid_payload')
    return
  }
  if (!Array.isArray(container.items)) {
    understandSingle(container, hasSecrets, item, context)
    return
  }
  const settings = readInferSettings(container)
  let unusable = 0
  for (const span of container.items) {
    const row = streamedSpanRow(span, settings, hasSecrets, context)
    if (row === null) unusable++
    else addRow(context.out, 'spans', row)
  }
  if (unusable > 0 || container.items.length === 0) {
    discard(context, item, container.items.length === 0 ? 'empty' : 'invalid_payload', unusable)
  }
}

function understandSingle(span: unknown, hasSecrets: boolean, item: EnvelopeItem, context: RecordContext): void {
  const row = legacySpanRow(span, { platform: 'javascript', inherited: {} }, hasSecrets, context)
  if (row === null) discard(context, item, 'invalid_payload')
  else addRow(context.out, 'spans', row)
}
