import type { Envelope, EnvelopeItem } from '#protocol/read-envelope.ts'

/** Made once for an envelope: one of thousands of items would otherwise be searched for each of them. */
const known = new WeakMap<Envelope, Map<EnvelopeItem, number>>()

/** Where the other half of a replay segment stands: the first event goes with the first recording, the second with the second. */
export function partnerOf(item: EnvelopeItem, envelope: Envelope): number | null {
  let partners = known.get(envelope)
  if (partners === undefined) {
    partners = pair(envelope)
    known.set(envelope, partners)
  }
  return partners.get(item) ?? null
}

function pair({ items }: Envelope): Map<EnvelopeItem, number> {
  const events = indexesOf(items, 'replay_event')
  const recordings = indexesOf(items, 'replay_recording')
  const partners = new Map<EnvelopeItem, number>()
  for (let rank = 0; rank < Math.min(events.length, recordings.length); rank++) {
    const [event, recording] = [events[rank] ?? 0, recordings[rank] ?? 0]
    const [eventItem, recordingItem] = [items[event], items[recording]]
    if (eventItem === undefined || recordingItem === undefined) continue
    partners.set(eventItem, recording)
    partners.set(recordingItem, event)
  }
  return partners
}

const indexesOf = (items: EnvelopeItem[], type: string): number[] =>
  items.flatMap((item, index) => (item.headers.type === type ? [index] : []))
