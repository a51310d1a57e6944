/** 640 µs, 1.8 ms, 94 ms, 1.18 s, 2.5 m: three digits at most, a space before the unit. */
export function formatDuration(us: number): string {
  if (us <= 0) return '0 ms'
  if (us < 999.5) return `${Math.max(1, Math.round(us))} µs`
  if (us < 999_500) return `${threeDigits(us / 1e3)} ms`
  if (us < 120e6) return `${threeDigits(us / 1e6)} s`
  return us < 7_200e6 ? `${threeDigits(us / 60e6)} m` : `${threeDigits(us / 3_600e6)} h`
}

function threeDigits(value: number): string {
  return String(Number(value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)))
}
