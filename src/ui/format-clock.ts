/** 14:05, with the day where the span is longer than one: for the axis of a chart, in UTC. */
export function formatClock(at: number, spanMs: number): string {
  const iso = new Date(at).toISOString()
  return spanMs > 2 * 86_400_000
    ? iso.slice(5, 10)
    : spanMs > 86_400_000
      ? `${iso.slice(5, 10)} ${iso.slice(11, 16)}`
      : iso.slice(11, 16)
}
