const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The two largest words would be noise: 4 s, 38 m, 5 h, 12 d, 7 mo, 2 y. A clock that runs ahead reads as now. */
export function formatAge(ageMs: number): string {
  if (ageMs < 1_000) return 'now'
  if (ageMs < minuteMs) return `${Math.floor(ageMs / 1_000)} s`
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} m`
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h`
  if (ageMs < 60 * dayMs) return `${Math.floor(ageMs / dayMs)} d`
  if (ageMs < 365 * dayMs) return `${Math.floor(ageMs / (30 * dayMs))} mo`
  return `${Math.floor(ageMs / (365 * dayMs))} y`
}
