/** Bounds of the web vitals as the browsers' makers set them: up to `good`, and above `poor`. Milliseconds, but for CLS. */
export const vitalBounds = {
  ttfb: { label: 'TTFB', good: 800, poor: 1_800 },
  fcp: { label: 'FCP', good: 1_800, poor: 3_000 },
  lcp: { label: 'LCP', good: 2_500, poor: 4_000 },
  inp: { label: 'INP', good: 200, poor: 500 },
  cls: { label: 'CLS', good: 0.1, poor: 0.25 },
} as const
export type VitalName = keyof typeof vitalBounds
export type Verdict = 'good' | 'middle' | 'poor'

export function judgeVital(name: VitalName, value: number): Verdict {
  const { good, poor } = vitalBounds[name]
  if (value <= good) return 'good'
  return value > poor ? 'poor' : 'middle'
}
