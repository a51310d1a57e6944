import { processRecord } from '#digest/process-record.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { readCapture } from './read-capture.ts'

/** The event of a recorded request, as it is stored. */
export function readEvent(capture: string): StoredEvent {
  const event = findEvent(capture)
  if (event === null) throw new Error(`${capture} holds no event`)
  return event
}

/** Null when the request holds something else. */
export function findEvent(capture: string): StoredEvent | null {
  const context = { recordId: capture, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
  const [row] = processRecord(readCapture(capture), context).rows.events ?? []
  return row === undefined ? null : (JSON.parse(row.data) as StoredEvent)
}
