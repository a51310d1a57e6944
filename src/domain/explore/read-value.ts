import { readFlag, readMoment } from '#search/read-value.ts'
import type { FieldType } from './field.ts'

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  wk: 604_800_000,
}

/** `1.5s` in milliseconds; a bare number is milliseconds already. */
export function readDurationMs(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,9})?)([a-z]{1,3})?$/.exec(text)
  const unit = match ? unitMs[match[2] ?? 'ms'] : undefined
  return unit === undefined ? null : Number(match?.[1]) * unit
}

export function readNumber(text: string): number | null {
  const match = /^(-?\d{1,19}(?:\.\d{1,12})?)([km]?)$/.exec(text)
  return match ? Number(match[1]) * (match[2] === 'k' ? 1e3 : match[2] === 'm' ? 1e6 : 1) : null
}

/** With or without hyphens; null for anything else. */
export function readUuid(text: string): string | null {
  const hex = text.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null
}

/** A span id as the decimal number in its column. */
export const readSpan = (text: string): string | null =>
  /^[0-9a-f]{16}$/i.test(text) ? BigInt(`0x${text}`).toString() : null

/** ISO dates with or without zone: tools send both. */
export function readDate(text: string, now: number): { at: number; direction: 'since' | 'before' | null } | null {
  const plain = text.replace(/(\.\d{3})\d+/, '$1').replace(/\+00:00$/, 'Z')
  return readMoment(plain, now)
}

/** What a valid value looks like, for the message; null if the text is valid. */
export function valueFault(type: FieldType, text: string, now: number): string | null {
  switch (type) {
    case 'number':
      return readNumber(text) === null ? 'a number, like 100 or 2.5' : null
    case 'duration':
      return readDurationMs(text) === null ? 'a duration, like 100ms, 1.5s or 2m' : null
    case 'boolean':
      return readFlag(text) === null ? 'true or false' : null
    case 'uuid':
      return readUuid(text) === null ? 'an id of 32 hex digits' : null
    case 'span':
      return readSpan(text) === null ? 'an id of 16 hex digits' : null
    case 'date':
      return readDate(text, now) === null ? '-24h, +7d or a date like 2026-11-15T10:00:00' : null
    case 'string':
      return null
  }
}
