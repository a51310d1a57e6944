import { isObject } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrub/scrub-shapes.ts'
import { addRow } from '../add-row.ts'
import { claimEventId } from '../claim-event-id.ts'
import { discard } from '../discard.ts'
import { cleanEvent } from '../event/clean-event.ts'
import { normaliseEvent } from '../event/normalise-event.ts'
import { Notes } from '../notes.ts'
import { readJsonItem } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'
import { legacySpanRow, type Parent } from '../span/legacy-span-row.ts'
import { inheritedFacts } from './inherited-facts.ts'
import { segmentRow } from './segment-row.ts'

/** A transaction is its segment's span and that span's children: the same rows that a streaming SDK would have caused. */
export function understandTransaction(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  if (!isObject(payload.value)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const mayHaveShapes = hasShapes(payload.text)
  const notes = new Notes()
  const children = Array.isArray(payload.value.spans) ? payload.value.spans : []
  payload.value.spans = undefined
  const { start_timestamp: start, timestamp: end } = payload.value
  const event = normaliseEvent(payload.value, claimEventId(payload.value.event_id, itemIndex, context), context, notes)
  cleanEvent(event, mayHaveShapes, notes)
  const segment = segmentRow(event, { start, end }, mayHaveShapes, notes, context)
  if (segment === null) {
    discard(context, item, 'invalid_payload')
    return
  }
  addRow(context.out, 'spans', segment)
  const parent: Parent = { platform: event.platform, inherited: inheritedFacts(event, segment) }
  let unusable = 0
  for (const child of children) {
    const row = legacySpanRow(child, parent, mayHaveShapes, context)
    if (row === null) unusable++
    else addRow(context.out, 'spans', row)
  }
  if (unusable > 0) discard(context, item, 'invalid_payload', unusable)
}
