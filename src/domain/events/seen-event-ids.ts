/** How long the ids of events are kept. Repeats come within seconds; a day leaves room for an offline queue. */
export const seenEventsForMs = 24 * 3_600_000
