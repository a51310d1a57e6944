/** Takes events out of what a record yielded, with the files that came for them, and counts them by why. */
import type { Outcome } from '#lib/outcome.ts'
import type { Understood } from '../loop/prepare-batch.ts'
import type { RecordYield } from '../yield.ts'

/** `unwanted` gives the reason of each event that goes, by its id. */
export function dropEvents(understood: Understood, unwanted: ReadonlyMap<string, string>): Understood {
  if (unwanted.size === 0) return understood
  const { yielded, receivedAt } = understood
  const isKept = ({ event_id }: { event_id: string }): boolean => !unwanted.has(event_id)
  const { events = [], attachments = [] } = yielded.rows
  const files = attachments.filter(row => !isKept(row))
  const blobs = new Set(files.map(row => row.blob))
  const outcome = (category: string, reason: string): Outcome => ({
    projectId: yielded.projectId,
    category,
    kind: 'filtered',
    reason,
    quantity: 1,
    at: receivedAt,
  })
  const rest: RecordYield = {
    ...yielded,
    rows: { ...yielded.rows, events: events.filter(isKept), attachments: attachments.filter(isKept) },
    sightings: yielded.sightings.filter(sighting => !unwanted.has(sighting.eventId)),
    blobs: yielded.blobs.filter(blob => !blobs.has(blob.key)),
    outcomes: [
      ...yielded.outcomes,
      ...Array.from(unwanted.values(), reason => outcome('error', reason)),
      ...files.map(file => outcome('attachment', unwanted.get(file.event_id) ?? '')),
    ],
  }
  return { ...understood, yielded: rest }
}
