const hourMs = 3_600_000

/** What the time picker offers. The longest is what telemetry is kept for unless configured otherwise. */
export const ranges = {
  '1h': { ms: hourMs, label: 'Last hour' },
  '24h': { ms: 24 * hourMs, label: 'Last 24 h' },
  '7d': { ms: 7 * 24 * hourMs, label: 'Last 7 d' },
  '30d': { ms: 30 * 24 * hourMs, label: 'Last 30 d' },
  '90d': { ms: 90 * 24 * hourMs, label: 'Last 90 d' },
} as const
export type RangeName = keyof typeof ranges
