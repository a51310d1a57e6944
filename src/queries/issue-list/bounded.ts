import type { Settings } from '#store/telemetry/telemetry.ts'

/** For suggestions: what a second and two million rows can tell is enough, and no page waits for more. */
export const bounded: Settings = {
  max_execution_time: 1,
  timeout_overflow_mode: 'break',
  max_rows_to_read: 2_000_000,
  read_overflow_mode: 'break',
}
