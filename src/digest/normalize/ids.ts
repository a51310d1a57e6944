/** Ids from the wire in the format of the tables. */
import { hash } from 'node:crypto'
import { decimalOf64 } from '#lib/user-hash.ts'
import { noId } from '#store/telemetry/rows.ts'

const hex32 = /^[0-9a-f]{32}$/

/** 32 lowercase hex digits from an id with or without hyphens; '' when it is invalid. */
export function readId(value: unknown): string {
  if (typeof value !== 'string') return ''
  if (hex32.test(value)) return value
  // No UUID format is longer, and a megabyte should not be lowercased.
  if (value.length > 64) return ''
  const plain = value.trim().toLowerCase().replaceAll('-', '')
  return hex32.test(plain) ? plain : ''
}

export const readIdOrNone = (value: unknown): string => readId(value) || noId

/** The same id on every repeat of the same record. */
export const derivedId = (recordId: string, itemIndex: number, ordinal = 0): string =>
  hash('md5', `${recordId}/${itemIndex}/${ordinal}`)

/** Consecutive spans of one segment have the same segment id. */
let lastHex = ''
let lastDecimal = '0'

/** A 16-digit hex span id as decimal text of its 64 bits; '0' when it is invalid. */
export function readSpanId(value: unknown): string {
  if (typeof value !== 'string' || value.length !== 16) return '0'
  if (value === lastHex) return lastDecimal
  const high = readHex8(value, 0)
  const low = readHex8(value, 8)
  if (high < 0 || low < 0) return '0'
  lastHex = value
  lastDecimal = decimalOf64(high, low)
  return lastDecimal
}

/** Eight hex digits as a number, or -1. Char by char is the fastest way, and this runs three times per span. */
function readHex8(text: string, from: number): number {
  let number = 0
  for (let at = from; at < from + 8; at++) {
    const code = text.charCodeAt(at)
    const digit = code <= 57 ? code - 48 : (code | 32) - 87
    if (digit < 0 || digit > 15 || (code > 57 && digit < 10)) return -1
    number = number * 16 + digit
  }
  return number
}
