import type { Settings } from '#store/telemetry/query.ts'

/** For suggestions and hints: returns what one second and two million rows give, because no page should wait for more. */
export const quickSettings: Settings = {
  max_execution_time: 1,
  timeout_overflow_mode: 'break',
  max_rows_to_read: 2_000_000,
  read_overflow_mode: 'break',
}
