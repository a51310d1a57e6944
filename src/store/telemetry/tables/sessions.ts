import type { WrittenTable } from './define-table.ts'
import {
  batchIndex,
  flag,
  id64,
  millis,
  received,
  seconds,
  text,
  uint16,
  uint32,
  uint64,
  uuid,
  word,
} from './define-table.ts'

/**
 * One row per update of a session, and one per minute of an aggregate (then `session_id` is zero and `quantity` counts).
 * Queries take the newest update of each session.
 */
export const sessions = {
  day: { column: 'started' },
  columns: {
    project_id: uint64,
    started: millis,
    timestamp: millis,
    ...received,
    batch_id: text,
    session_id: uuid,
    is_init: flag,
    status: word,
    errors: uint32,
    duration_ms: uint64,
    quantity: uint64,
    environment: word,
    release: word,
    user_hash: id64,
    browser_name: word,
    os_name: word,
    data: text,
  },
  orderBy: ['project_id', 'release', 'started', 'session_id'],
  bloomFilters: batchIndex,
} as const satisfies WrittenTable

export const check_ins = {
  day: { column: 'timestamp' },
  columns: {
    project_id: uint64,
    timestamp: millis,
    ...received,
    batch_id: text,
    check_in_id: uuid,
    monitor_slug: word,
    status: word,
    duration_ms: uint64,
    environment: word,
    release: word,
    trace_id: uuid,
    data: text,
  },
  orderBy: ['project_id', 'monitor_slug', 'timestamp'],
  bloomFilters: batchIndex,
} as const satisfies WrittenTable

/** What was not stored, and why; summed by hour. */
export const outcomes = {
  day: { column: 'hour' },
  columns: {
    project_id: uint64,
    hour: seconds,
    retention_days: uint16,
    batch_id: text,
    category: word,
    outcome: word,
    reason: word,
    quantity: uint64,
  },
  orderBy: ['project_id', 'hour', 'category', 'outcome', 'reason'],
  bloomFilters: batchIndex,
} as const satisfies WrittenTable
