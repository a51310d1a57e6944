/** Takes the events that nobody wants out of what a record yielded, with the files that came for them, and counts them. */
import type { Outcome } from '#lib/outcome.ts'
import type { RecordYield, Sighting } from '../yield.ts'
import { hashKey } from './arrival.ts'
import type { Understood } from './prepare-batch.ts'

export function dropDiscarded(understood: Understood, discarded: ReadonlySet<string>): Understood {
  if (discarded.size === 0) return understood
  const { yielded, receivedAt } = understood
  const unwanted = new Set(
    yielded.sightings.filter(sighting => isUnwanted(sighting, discarded)).map(sighting => sighting.eventId),
  )
  if (unwanted.size === 0) return understood
  const isKept = ({ event_id }: { event_id: string }): boolean => !unwanted.has(event_id)
  const { events = [], attachments = [] } = yielded.rows
  const files = attachments.filter(row => !isKept(row))
  const blobs = new Set(files.map(row => row.blob))
  const outcome = (category: string, quantity: number): Outcome[] =>
    quantity === 0
      ? []
      : [{ projectId: yielded.projectId, category, kind: 'filtered', reason: 'discarded', quantity, at: receivedAt }]
  const rest: RecordYield = {
    ...yielded,
    rows: { ...yielded.rows, events: events.filter(isKept), attachments: attachments.filter(isKept) },
    sightings: yielded.sightings.filter(sighting => !unwanted.has(sighting.eventId)),
    blobs: yielded.blobs.filter(blob => !blobs.has(blob.key)),
    outcomes: [...yielded.outcomes, ...outcome('error', unwanted.size), ...outcome('attachment', files.length)],
  }
  return { ...understood, yielded: rest }
}

/** Also by the name that an older grouping version has for it: what was discarded then stays discarded. */
const isUnwanted = (sighting: Sighting, discarded: ReadonlySet<string>): boolean =>
  discarded.has(hashKey(sighting)) ||
  sighting.groupFallbacks.some(({ version, hash }) =>
    discarded.has(hashKey({ projectId: sighting.projectId, groupVersion: version, groupHash: hash })),
  )
