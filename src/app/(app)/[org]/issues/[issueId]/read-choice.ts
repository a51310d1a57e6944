import type { EventChoice } from '#queries/pick-event.ts'

/** `latest`, `oldest`, `recommended`, or an id of 32 hex digits. */
export function readChoice(eventId: string): EventChoice | null {
  if (eventId === 'latest' || eventId === 'oldest' || eventId === 'recommended') return { kind: eventId }
  return /^[0-9a-f]{32}$/.test(eventId) ? { kind: 'id', eventId } : null
}
