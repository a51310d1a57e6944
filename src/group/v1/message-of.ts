import type { StoredEvent } from '#protocol/event.ts'

/** The template where there is one: its parameters are what differs. */
export function messageOf(event: StoredEvent): string {
  return event.logentry?.message ?? event.logentry?.formatted ?? ''
}
