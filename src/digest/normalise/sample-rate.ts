import { numberOf } from '#lib/json-value.ts'

/** The share an SDK keeps, within (0, 1]; 1 when it does not say. */
export function sampleRate(value: unknown): number {
  const rate = numberOf(value)
  return rate === undefined || rate <= 0 || rate > 1 ? 1 : rate
}
