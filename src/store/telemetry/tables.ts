/**
 * The telemetry tables: their columns in the order of an INSERT, and the column whose day (or Monday of its week) is the partition.
 * Row types (`rows.ts`), the Native encoder and the validation of stored rows derive from this.
 */
import type { ColumnType } from './native/column-type.ts'

/** A column, and the type of its values in TypeScript. */
export type Column<Value = unknown> = { readonly type: ColumnType; readonly value?: Value }
type TableShape = {
  readonly columns: Readonly<Record<string, Column>>
  readonly day: { readonly column: string; readonly ticksPerSecond: number; readonly isWeekly?: true }
}

const column = <Value>(type: ColumnType): Column<Value> => ({ type })

/** Times are integers: `millis`, `micros` or `seconds` since 1970. */
const millis = column<number>("DateTime64(3, 'UTC')")
const micros = column<number>("DateTime64(6, 'UTC')")
const seconds = column<number>("DateTime('UTC')")
const text = column<string>('String')
const word = column<string>('LowCardinality(String)')
const texts = column<Record<string, string>>('Map(LowCardinality(String), String)')
const numbers = column<Record<string, number>>('Map(LowCardinality(String), Float64)')
const textList = column<string[]>('Array(String)')
const uint16List = column<number[]>('Array(UInt16)')
const float64List = column<number[]>('Array(Float64)')
const flag = column<boolean>('Bool')
const uint8 = column<number>('UInt8')
const uint16 = column<number>('UInt16')
const uint32 = column<number>('UInt32')
const uint64 = column<number>('UInt64')
const float32 = column<number>('Float32')
const float64 = column<number>('Float64')
/** 64 bits as a decimal string, because a JavaScript number cannot hold them: span ids, user hashes. '0' means none. */
const id64 = column<string>('UInt64')
/** 32 lowercase hex digits; `noId` means none. */
const uuid = column<string>('UUID')
const hash = column<string>('FixedString(32)')
const common = { project_id: uint64, received_at: millis, retention_days: uint16, weight: float32 } as const

const inMillis = 1_000
const inMicros = 1_000_000

export const tables = {
  events: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: {
      ...common,
      event_id: uuid,
      timestamp: millis,
      client_sample_rate: float32,
      group_version: uint8,
      group_hash: hash,
      kind: word,
      level: word,
      platform: word,
      type: text,
      title: text,
      culprit: text,
      is_handled: flag,
      mechanism: word,
      route_raw: text,
      route: word,
      url: text,
      environment: word,
      release: word,
      dist: word,
      server_name: word,
      user_hash: id64,
      replaced_user_hash: id64,
      user_id: text,
      user_email: text,
      user_name: text,
      user_ip: text,
      trace_id: uuid,
      span_id: id64,
      replay_id: uuid,
      sdk_name: word,
      sdk_version: word,
      browser_name: word,
      browser_version: word,
      os_name: word,
      os_version: word,
      device: word,
      is_prefetch: flag,
      tags: texts,
      data: text,
    },
  },
  event_index: {
    day: { column: 'timestamp', ticksPerSecond: inMillis, isWeekly: true },
    columns: {
      ...common,
      group_hash: hash,
      timestamp: millis,
      event_id: uuid,
      user_hash: id64,
      replaced_user_hash: id64,
      level: word,
      type: word,
      mechanism: word,
      platform: word,
      route: word,
      environment: word,
      release: word,
      dist: word,
      server_name: word,
      sdk_name: word,
      sdk_version: word,
      browser_name: word,
      browser_version: word,
      os_name: word,
      os_version: word,
      device: word,
      merit: uint8,
      tags: texts,
    },
  },
  spans: {
    day: { column: 'timestamp', ticksPerSecond: inMicros },
    columns: {
      ...common,
      timestamp: micros,
      duration_us: uint64,
      client_sample_rate: float32,
      trace_id: uuid,
      span_id: id64,
      parent_span_id: id64,
      segment_id: id64,
      is_segment: flag,
      segment_name: word,
      segment_source: word,
      name: text,
      op: word,
      origin: word,
      status: word,
      platform: word,
      environment: word,
      release: word,
      dist: word,
      server_name: word,
      route_raw: text,
      route: word,
      method: word,
      status_code: uint16,
      url: text,
      is_prefetch: flag,
      is_sdk_transport: flag,
      user_hash: id64,
      user_id: text,
      replay_id: uuid,
      sdk_name: word,
      sdk_version: word,
      browser_name: word,
      os_name: word,
      device: word,
      attributes: texts,
      numbers,
      links: text,
      data: text,
    },
  },
  logs: {
    day: { column: 'timestamp', ticksPerSecond: inMicros },
    columns: {
      ...common,
      timestamp: micros,
      log_id: uuid,
      sequence: uint32,
      level: word,
      severity: uint8,
      body: text,
      template: text,
      trace_id: uuid,
      span_id: id64,
      environment: word,
      release: word,
      server_name: word,
      origin: word,
      route: word,
      user_hash: id64,
      user_id: text,
      replay_id: uuid,
      sdk_name: word,
      sdk_version: word,
      attributes: texts,
      numbers,
    },
  },
  metrics: {
    day: { column: 'timestamp', ticksPerSecond: inMicros },
    columns: {
      ...common,
      timestamp: micros,
      name: word,
      kind: word,
      unit: word,
      value: float64,
      trace_id: uuid,
      span_id: id64,
      environment: word,
      release: word,
      server_name: word,
      user_hash: id64,
      sdk_name: word,
      sdk_version: word,
      attributes: texts,
      numbers,
    },
  },
  sessions: {
    day: { column: 'started', ticksPerSecond: inMillis },
    columns: {
      ...common,
      started: millis,
      timestamp: millis,
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
  },
  check_ins: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: {
      ...common,
      timestamp: millis,
      check_in_id: uuid,
      monitor_slug: word,
      status: word,
      duration_ms: uint64,
      environment: word,
      release: word,
      trace_id: uuid,
      data: text,
    },
  },
  feedback: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: {
      ...common,
      feedback_id: uuid,
      timestamp: millis,
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
      data: text,
    },
  },
  replays: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: {
      ...common,
      replay_id: uuid,
      segment_id: uint32,
      timestamp: millis,
      started: millis,
      replay_type: word,
      environment: word,
      release: word,
      user_hash: id64,
      urls: textList,
      error_ids: textList,
      trace_ids: textList,
      recording_bytes: uint64,
      recording_blob: text,
      data: text,
    },
  },
  profiles: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: {
      ...common,
      timestamp: millis,
      kind: word,
      profile_id: uuid,
      profiler_id: uuid,
      platform: word,
      environment: word,
      release: word,
      trace_id: uuid,
      size_bytes: uint64,
      blob: text,
    },
  },
  attachments: {
    day: { column: 'timestamp', ticksPerSecond: inMillis },
    columns: {
      ...common,
      event_id: uuid,
      timestamp: millis,
      filename: text,
      content_type: word,
      attachment_type: word,
      size_bytes: uint64,
      blob: text,
    },
  },
  outcomes: {
    day: { column: 'hour', ticksPerSecond: 1 },
    columns: {
      project_id: uint64,
      hour: seconds,
      retention_days: uint16,
      category: word,
      outcome: word,
      reason: word,
      quantity: uint64,
    },
  },
  route_sums: {
    day: { column: 'bucket', ticksPerSecond: 1, isWeekly: true },
    columns: {
      project_id: uint64,
      bucket: seconds,
      retention_days: uint16,
      route: word,
      measure: word,
      detail: word,
      release: word,
      environment: word,
      device: word,
      count: float64,
      failed: float64,
      total: float64,
      bins: uint16List,
      bin_counts: float64List,
    },
  },
} as const satisfies Record<string, TableShape>

export type TableName = keyof typeof tables
export const tableNames = Object.keys(tables) as TableName[]

/** For code that handles all tables. */
export const shapeOf = (table: TableName): TableShape => tables[table]
