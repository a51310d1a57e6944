import type { StoredEvent } from '../find-event.ts'

/** As much of an event as leads to its trace. */
export type Traced = Pick<StoredEvent, 'trace_id' | 'span_id' | 'timestamp'>
