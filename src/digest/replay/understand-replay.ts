/** A replay segment travels as two items, its event and its recording; they become one row and one blob. */

import { isObject } from '#lib/json-value.ts'
import type { EnvelopeItem } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrub/scrub-shapes.ts'
import { addRow } from '../add-row.ts'
import { discard } from '../discard.ts'
import { cleanEvent } from '../event/clean-event.ts'
import { normaliseEvent } from '../event/normalise-event.ts'
import { readId } from '../normalise/ids.ts'
import { Notes } from '../notes.ts'
import { readJsonItem } from '../read/read-json.ts'
import type { RecordContext } from '../record-context.ts'
import { partnerOf } from './partner-of.ts'
import { type Recording, readRecording } from './read-recording.ts'
import { replayRow } from './replay-row.ts'

export function understandReplayEvent(item: EnvelopeItem, _itemIndex: number, context: RecordContext): void {
  const recordingIndex = partnerOf(item, context.envelope)
  const recording = takeRecording(recordingIndex, context)
  const payload = readJsonItem(item, context)
  const raw = payload !== null && isObject(payload.value) ? payload.value : null
  if (payload !== null && raw === null) discard(context, item, 'invalid_payload')
  // The recording outlives an event that cannot be read.
  if (raw === null && recording === null) return
  addSegment(raw ?? {}, payload !== null && hasShapes(payload.text), recording, context)
}

/** Only a recording without an event of its own: the others were taken along by theirs. */
export function understandReplayRecording(item: EnvelopeItem, itemIndex: number, context: RecordContext): void {
  if (partnerOf(item, context.envelope) !== null) return
  addSegment({}, false, takeRecording(itemIndex, context), context)
}

function addSegment(
  raw: Record<string, unknown>,
  mayHaveShapes: boolean,
  recording: Recording | null,
  context: RecordContext,
): void {
  const notes = new Notes()
  const replayId = readId(raw.replay_id) || readId(raw.event_id) || context.eventId
  const event = normaliseEvent(raw, replayId, context, notes)
  cleanEvent(event, mayHaveShapes, notes)
  if (!notes.isEmpty) event._hydrant = notes.toJson()
  addRow(context.out, 'replays', replayRow(event, recording, context))
}

function takeRecording(index: number | null, context: RecordContext): Recording | null {
  const item = index === null ? undefined : context.envelope.items[index]
  if (item === undefined || index === null) return null
  const recording = readRecording(item, index, context)
  context.out.blobs.push({ key: recording.key, source: recording.source })
  return recording
}
