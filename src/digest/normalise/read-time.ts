/** Timestamps as SDKs write them: seconds with a fraction, RFC 3339, and the mistake of sending milliseconds. */
import { limits } from '../limits.ts'

/** Milliseconds with a fraction; undefined when the value is no time. */
export function readTimeMs(value: unknown): number | undefined {
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'string' || value === '' || value.length > 64) return undefined
  const seconds = Number(value)
  if (!Number.isNaN(seconds)) return fromNumber(seconds)
  const text = hasZone.test(value) || !hasClock.test(value) ? value : `${value}Z`
  const parsed = Date.parse(text)
  return Number.isNaN(parsed) ? undefined : parsed
}

const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i
const hasClock = /\d:\d\d/

/** Seconds stay below 1e11 until the year 5138; what is larger was meant in a smaller unit. */
function fromNumber(value: number): number | undefined {
  if (!Number.isFinite(value)) return undefined
  const size = Math.abs(value)
  if (size < 1e11) return value * 1e3
  if (size < 1e14) return value
  return size < 1e17 ? value / 1e3 : value / 1e6
}

/** The nearest time a partition is kept for. Equal to the input when it is within bounds. */
export function clampTimeMs(timeMs: number, receivedAt: number): number {
  if (timeMs > receivedAt + limits.futureMs) return receivedAt + limits.futureMs
  return Math.max(timeMs, receivedAt - limits.oldestMs)
}
