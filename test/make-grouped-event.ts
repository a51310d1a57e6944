import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'

/** One event of a group. */
export function makeGroupedEvent(fields: Partial<GroupedEvent> = {}): GroupedEvent {
  return {
    projectId: 1,
    groupVersion: 1,
    groupHash: 'a'.repeat(32),
    groupFallbacks: [],
    eventId: 'e'.repeat(32),
    timestamp: 1_794_700_000_000,
    title: 'Error: x',
    culprit: '/',
    kind: 'error',
    level: 'error',
    side: 'server',
    release: '',
    userHash: '0',
    weight: 1,
    noise: [],
    isSkew: false,
    serverError: null,
    ...fields,
  }
}
