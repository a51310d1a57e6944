import type { LogRow } from '#store/telemetry/rows.ts'
import { noId } from '#store/telemetry/rows.ts'

/** A stored log line. Times are microseconds. */
export const makeLog = (given: Partial<LogRow> & Pick<LogRow, 'timestamp'>): LogRow => ({
  project_id: 1,
  received_at: Math.floor(given.timestamp / 1_000),
  retention_days: 30,
  weight: 1,
  log_id: noId,
  sequence: 0,
  level: 'info',
  severity: 9,
  body: '',
  template: '',
  trace_id: noId,
  span_id: '0',
  environment: '',
  release: '',
  server_name: '',
  origin: '',
  route: '',
  user_hash: '0',
  user_id: '',
  replay_id: noId,
  sdk_name: '',
  sdk_version: '',
  attributes: {},
  numbers: {},
  pattern: '0',
  ...given,
})
