/** Time zones by their IANA name, with the offsets that the runtime knows. */

/** The zone's canonical name; null for a name that the runtime does not know. */
export function parseZone(name: string): string | null {
  if (name === '' || name.length > maxNameChars) return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null // a RangeError is the only way to learn that a zone does not exist
  }
}

const maxNameChars = 64
const minuteMs = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** How far the zone's clocks are ahead of UTC at that moment. */
export function zoneOffsetMs(at: number, zone: string): number {
  if (zone === 'UTC') return 0
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes, seconds] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? []
  const sizeMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minuteMs + Number(seconds ?? 0) * 1_000
  return sign === '-' ? -sizeMs : sizeMs
}

/** `2026-11-15T08:25:58.123`: date and time on the zone's clocks. */
export const zonedIso = (at: number, zone: string): string =>
  new Date(at + zoneOffsetMs(at, zone)).toISOString().slice(0, -1)

/** `UTC`, `UTC+1`, `UTC+5:45`, `UTC−3:30`. */
export function nameOffset(at: number, zone: string): string {
  const offset = Math.round(zoneOffsetMs(at, zone) / minuteMs)
  if (offset === 0) return 'UTC'
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return `UTC${offset < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`
}

const dayMs = 86_400_000

/**
 * The moment at which the zone's clocks show `2026-11-15T02:40`; NaN for other text. As with JavaScript's own local times, the earlier
 * of two such moments counts, and a time that clocks skip is read with the offset from before the change.
 */
export function parseZonedTime(text: string, zone: string): number {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)) return Number.NaN
  const shown = Date.parse(`${text}Z`)
  if (Number.isNaN(shown)) return shown
  const [before = 0, after = 0] = [shown - dayMs, shown + dayMs].map(near => shown - zoneOffsetMs(near, zone))
  const moments = [before, after].filter(at => at + zoneOffsetMs(at, zone) === shown)
  return moments.length > 0 ? Math.min(...moments) : before
}
