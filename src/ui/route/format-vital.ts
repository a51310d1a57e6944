import { formatDuration } from '../format-duration.ts'

/** Milliseconds as a duration, a layout shift as the score it is. */
export const formatVital = (name: string, value: number | null): string =>
  value === null ? '–' : name === 'cls' ? value.toFixed(2) : formatDuration(value * 1_000)

export const vitalLooks = { good: '', middle: 'meh', poor: 'bad strong' } as const
