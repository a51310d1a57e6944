import { understandRecord } from '#digest/understand-record.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { readCapture } from './read-capture.ts'

/** The event of a recorded request, as it is stored. */
export function readEvent(capture: string): StoredEvent {
  const context = { recordId: capture, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
  const [row] = understandRecord(readCapture(capture), context).rows.events ?? []
  if (row === undefined) throw new Error(`${capture} holds no event`)
  return JSON.parse(row.data) as StoredEvent
}
