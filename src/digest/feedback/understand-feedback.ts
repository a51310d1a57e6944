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
import { feedbackRow } from './feedback-row.ts'

/** What a user wrote into the feedback form. It travels as an event, so it is normalised as one. */
export function understandFeedback(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  const payload = readJsonItem(item, context)
  if (payload === null) return
  if (!isObject(payload.value)) {
    discard(context, item, 'invalid_payload')
    return
  }
  const notes = new Notes()
  const event = normaliseEvent(payload.value, claimEventId(payload.value.event_id, itemIndex, context), context, notes)
  cleanEvent(event, hasShapes(payload.text), notes)
  if (!notes.isEmpty) event._hydrant = notes.toJson()
  addRow(context.out, 'feedback', feedbackRow(event, context))
}
