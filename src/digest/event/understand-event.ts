import { isObject } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrub/scrub-shapes.ts'
import { claimEventId } from '../claim-event-id.ts'
import { discard } from '../discard.ts'
import { Notes } from '../notes.ts'
import { readJsonItem } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'
import { addEvent } from './add-event.ts'
import { cleanEvent } from './clean-event.ts'
import { normaliseEvent } from './normalise-event.ts'

export function understandEvent(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  if (!isObject(payload.value)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const notes = new Notes()
  if (!payload.isValidUtf8) notes.add('invalid', '', 'bytes that are no UTF-8 were replaced')
  const event = normaliseEvent(payload.value, claimEventId(payload.value.event_id, itemIndex, context), context, notes)
  cleanEvent(event, hasShapes(payload.text), notes)
  addEvent(event, kindOf(event), notes, context)
}

/** A message with a stack attached by the SDK is a message still. */
function kindOf(event: StoredEvent): string {
  const error = event.exception?.values.at(-1)
  if (error === undefined) return 'message'
  const isMessage = error.mechanism?.synthetic === true && event.logentry !== undefined
  return isMessage ? 'message' : 'error'
}
