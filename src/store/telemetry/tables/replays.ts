import type { WrittenTable } from './define-table.ts'
import {
  batchIndex,
  document,
  id64,
  millis,
  received,
  text,
  textList,
  texts,
  uint16,
  uint32,
  uint64,
  uuid,
  word,
} from './define-table.ts'

/** The bytes of an attachment are a blob. */
export const attachments = {
  day: { column: 'timestamp' },
  columns: {
    project_id: uint64,
    event_id: uuid,
    timestamp: millis,
    ...received,
    batch_id: text,
    filename: text,
    content_type: word,
    attachment_type: word,
    size_bytes: uint64,
    blob: text,
  },
  orderBy: ['project_id', 'event_id', 'filename'],
  bloomFilters: batchIndex,
} as const satisfies WrittenTable

/** One row per replay segment; the bytes of the recording are a blob. */
export const replays = {
  day: { column: 'timestamp' },
  columns: {
    project_id: uint64,
    replay_id: uuid,
    segment_id: uint32,
    timestamp: millis,
    started: millis,
    ...received,
    batch_id: text,
    replay_type: word,
    environment: word,
    release: word,
    user_hash: id64,
    urls: textList,
    error_ids: textList,
    trace_ids: textList,
    recording_bytes: uint64,
    recording_blob: text,
    data: document,
    user_id: text,
    user_email: text,
    user_name: text,
    user_ip: text,
    browser_name: word,
    browser_version: word,
    os_name: word,
    os_version: word,
    device: word,
    click_count: uint32,
    dead_click_count: uint32,
    rage_click_count: uint32,
    tags: texts,
  },
  orderBy: ['project_id', 'replay_id', 'segment_id'],
  bloomFilters: { replay_id_bloom: 'replay_id', ...batchIndex },
} as const satisfies WrittenTable

/**
 * What a user did and met in a replay: clicks, pages, requests, console lines. Written by digest, so that lists and timelines never
 * open recordings. `status` is that of a request, or how often a rage click was repeated.
 */
export const replay_moments = {
  day: { column: 'timestamp' },
  columns: {
    project_id: uint64,
    replay_id: uuid,
    segment_id: uint32,
    timestamp: millis,
    ...received,
    batch_id: text,
    kind: word,
    level: word,
    selector: text,
    text,
    url: text,
    method: word,
    node_id: uint32,
    status: uint16,
    duration_ms: uint32,
  },
  orderBy: ['project_id', 'replay_id', 'timestamp'],
  bloomFilters: { replay_id_bloom: 'replay_id', ...batchIndex },
} as const satisfies WrittenTable

export const feedback = {
  day: { column: 'timestamp' },
  columns: {
    project_id: uint64,
    feedback_id: uuid,
    timestamp: millis,
    ...received,
    batch_id: text,
    source: word,
    message: text,
    contact_email: text,
    contact_name: text,
    url: text,
    associated_event_id: uuid,
    replay_id: uuid,
    trace_id: uuid,
    environment: word,
    release: word,
    user_hash: id64,
    data: document,
  },
  orderBy: ['project_id', 'timestamp'],
  bloomFilters: batchIndex,
} as const satisfies WrittenTable
