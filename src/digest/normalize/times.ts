import { numberOf } from '#lib/json-value.ts'
import { limits } from '../limits.ts'

/** Milliseconds to add to the client's times; 0 when the difference may be network latency. */
export function clockShiftMs(sentAt: string, receivedAt: number): number {
  if (sentAt === '') return 0
  const sentAtMs = Date.parse(sentAt)
  if (Number.isNaN(sentAtMs)) return 0
  const shift = receivedAt - sentAtMs
  return Math.abs(shift) > limits.clockDriftMs ? shift : 0
}

/**
 * Timestamps as SDKs send them: seconds with a fraction, RFC 3339, or milliseconds by mistake. The result is in milliseconds with
 * a fraction; undefined when the value is not a time.
 */
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

/** Seconds stay below 1e11 until the year 5138; larger values have a smaller unit. */
function fromNumber(value: number): number | undefined {
  if (!Number.isFinite(value)) return undefined
  const size = Math.abs(value)
  if (size < 1e11) return value * 1e3
  if (size < 1e14) return value
  return size < 1e17 ? value / 1e3 : value / 1e6
}

/** Limits a time to the range for which partitions are kept. */
export function clampTimeMs(timeMs: number, receivedAt: number): number {
  if (timeMs > receivedAt + limits.futureMs) return receivedAt + limits.futureMs
  return Math.max(timeMs, receivedAt - limits.oldestMs)
}

/** Nobody keeps less than one in a million. What is stored in 32 bits must not become zero, because counts are divided by it. */
const leastRate = 1e-6

/** The SDK's sample rate, at most 1; 1 when it is missing or invalid. */
export function sampleRate(value: unknown): number {
  const rate = numberOf(value)
  return rate === undefined || rate < leastRate || rate > 1 ? 1 : rate
}
