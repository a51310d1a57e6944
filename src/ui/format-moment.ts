/** 2026-11-15 02:40:58 UTC: a 24-hour clock with its zone, the same on every machine. */
export function formatMoment(at: number, { withMs = false }: { withMs?: boolean } = {}): string {
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, withMs ? 23 : 19)} UTC`
}
