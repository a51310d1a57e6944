/** Ids of the wire in the form the tables hold. */
import { hash } from 'node:crypto'
import { noId } from '#store/telemetry/rows.ts'

const hex32 = /^[0-9a-f]{32}$/
const hex16 = /^[0-9a-f]{16}$/

/** 32 lowercase hex digits from an id with or without hyphens; '' when it is none. */
export function readId(value: unknown): string {
  if (typeof value !== 'string') return ''
  if (hex32.test(value)) return value
  // Longer than a braced or urn: UUID is no id: do not lowercase a megabyte.
  if (value.length > 64) return ''
  const plain = value.trim().toLowerCase().replaceAll('-', '')
  return hex32.test(plain) ? plain : ''
}

export const readIdOrNone = (value: unknown): string => readId(value) || noId

/** The same id on every repeat of the same record. */
export const derivedId = (recordId: string, itemIndex: number, ordinal = 0): string =>
  hash('md5', `${recordId}/${itemIndex}/${ordinal}`)

/** A 16-digit hex span id as the decimal text of its 64 bits; '0' when it is none. */
export function readSpanId(value: unknown): string {
  if (typeof value !== 'string' || value.length !== 16) return '0'
  const plain = hex16.test(value) ? value : value.toLowerCase()
  if (!hex16.test(plain)) return '0'
  const high = Number.parseInt(plain.slice(0, 8), 16)
  const low = Number.parseInt(plain.slice(8), 16)
  return decimalOf64(high, low)
}

const billion = 1_000_000_000

/** Two 32-bit halves as decimal text: one long division by 10^9 in 16-bit steps, several times faster than BigInt. */
export function decimalOf64(high: number, low: number): string {
  const middle = (high % billion) * 65_536 + (low >>> 16)
  const bottom = (middle % billion) * 65_536 + (low & 65_535)
  const quotient =
    Math.floor(high / billion) * 4_294_967_296 + Math.floor(middle / billion) * 65_536 + Math.floor(bottom / billion)
  const units = String(bottom % billion)
  return quotient === 0 ? units : quotient + units.padStart(9, '0')
}
