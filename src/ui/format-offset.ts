/** −21.4 s, +31 ms: how long before or after the event. */
export function formatOffset(offsetMs: number): string {
  if (offsetMs === 0) return '0'
  const size = Math.abs(offsetMs)
  return `${offsetMs < 0 ? '−' : '+'}${sized(size)}`
}

function sized(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 100_000) return `${(ms / 1_000).toFixed(1)} s`
  if (ms < 6_000_000) return `${Math.round(ms / 60_000)} m`
  return `${Math.round(ms / 3_600_000)} h`
}
