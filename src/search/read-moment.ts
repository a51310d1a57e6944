const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `24h` in milliseconds, or null. */
export function readDuration(text: string): number | null {
  const match = /^(\d{1,6})([smhdw])$/.exec(text)
  return match ? Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0) : null
}

/**
 * `-24h` is within the last 24 hours, `+24h` is longer ago. A date is a day or a moment in UTC. Gives the moment and,
 * where the value itself says a direction, that direction.
 */
export function readMoment(text: string, now: number): { at: number; side: 'since' | 'before' | null } | null {
  const sign = text[0]
  if (sign === '-' || sign === '+') {
    const agoMs = readDuration(text.slice(1))
    return agoMs === null ? null : { at: now - agoMs, side: sign === '-' ? 'since' : 'before' }
  }
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/.test(text)) return null
  const at = Date.parse(text.length > 10 && !text.endsWith('Z') ? `${text}Z` : text)
  return Number.isNaN(at) ? null : { at, side: null }
}

const spanUnitUs: Record<string, number> = { us: 1, ms: 1e3, s: 1e6, m: 6e7 }

/** `1.5s` in microseconds, or null. A bare number is milliseconds, as SDKs and people say them. */
export function readDurationUs(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,6})?)(us|ms|s|m)?$/.exec(text)
  return match ? Math.round(Number(match[1]) * (spanUnitUs[match[2] ?? 'ms'] ?? 0)) : null
}
