/** `percentile(values, 0.99)`: the value that 99 % do not exceed; 0 of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
