/** Parses the values of a search as numbers and times. Returns null for an invalid text. */

const factors: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }

/** Parses `100` or `1.5k`. Returns null if the text is not a count. */
export function readCount(text: string): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,3})?)([kmb]?)$/i.exec(text)
  const count = match ? Number(match[1]) * (factors[(match[2] ?? '').toLowerCase()] ?? 1) : Number.NaN
  return Number.isSafeInteger(count) ? count : null
}

export const readFlag = (text: string): boolean | null =>
  /^(?:true|1|yes)$/i.test(text) ? true : /^(?:false|0|no)$/i.test(text) ? false : null

/** The number in the URL of an issue. */
export const isIssueId = (text: string): boolean => /^[1-9]\d{0,11}$/.test(text)

/** `WEB-42` is the issue 42 of the project `web`. */
export function readShortId(text: string): { slug: string; number: number } | null {
  const match = /^(.+)-(\d{1,12})$/.exec(text)
  return match ? { slug: (match[1] ?? '').toLowerCase(), number: Number(match[2]) } : null
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `24h` in milliseconds, or null. */
export function readDuration(text: string): number | null {
  const match = /^(\d{1,6})([smhdw])$/.exec(text)
  return match ? Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0) : null
}

/**
 * `-24h` means within the last 24 hours, `+24h` longer ago than that. A date is a day or a time in UTC and has no
 * direction.
 */
export function readMoment(text: string, now: number): { at: number; direction: 'since' | 'before' | null } | null {
  const sign = text[0]
  if (sign === '-' || sign === '+') {
    const agoMs = readDuration(text.slice(1))
    return agoMs === null ? null : { at: now - agoMs, direction: sign === '-' ? 'since' : 'before' }
  }
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/.test(text)) return null
  const at = Date.parse(text.length > 10 && !text.endsWith('Z') ? `${text}Z` : text)
  return Number.isNaN(at) ? null : { at, direction: null }
}

const spanUnitUs: Record<string, number> = { us: 1, ms: 1e3, s: 1e6, m: 6e7 }

/** `1.5s` in microseconds, or null. A bare number is in milliseconds. */
export function readDurationUs(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,6})?)(us|ms|s|m)?$/.exec(text)
  return match ? Math.round(Number(match[1]) * (spanUnitUs[match[2] ?? 'ms'] ?? 0)) : null
}
