/** Takes the events of kinds that nobody wants out of what a record yielded. */
import { dropEvents } from '../filter/drop-events.ts'
import type { Sighting } from '../yield.ts'
import { hashKey } from './arrival.ts'
import type { Understood } from './prepare-batch.ts'

export function dropDiscarded(understood: Understood, discarded: ReadonlySet<string>): Understood {
  if (discarded.size === 0) return understood
  const unwanted = understood.yielded.sightings.filter(sighting => isUnwanted(sighting, discarded))
  return dropEvents(understood, new Map(unwanted.map(({ eventId }) => [eventId, 'discarded'])))
}

/** Also by the name that an older grouping version has for it: what was discarded then stays discarded. */
const isUnwanted = (sighting: Sighting, discarded: ReadonlySet<string>): boolean =>
  discarded.has(hashKey(sighting)) ||
  sighting.groupFallbacks.some(({ version, hash }) =>
    discarded.has(hashKey({ projectId: sighting.projectId, groupVersion: version, groupHash: hash })),
  )
