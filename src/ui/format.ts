import { formatWhole } from '#lib/format-whole.ts'
import { nameOffset, zonedIso } from '#lib/time-zone.ts'
import { maxExactUsers } from '#lib/user-sketch.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** One number and unit: 4 s, 38 m, 5 h, 12 d, 7 mo, 2 y. A time in the future is `now`. */
export function formatAge(ageMs: number): string {
  if (ageMs < 1_000) return 'now'
  if (ageMs < minuteMs) return `${Math.floor(ageMs / 1_000)} s`
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} m`
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h`
  if (ageMs < 60 * dayMs) return `${Math.floor(ageMs / dayMs)} d`
  if (ageMs < 365 * dayMs) return `${Math.floor(ageMs / (30 * dayMs))} mo`
  return `${Math.floor(ageMs / (365 * dayMs))} y`
}

/** The time that is left, in the form of an age, and rounded: a week that has just begun is 7 d, not 6. */
export function formatLeft(leftMs: number): string {
  const unit = [1_000, minuteMs, hourMs, dayMs].findLast(each => Math.round(leftMs / each) >= 1) ?? 1_000
  return formatAge(Math.max(1, Math.round(leftMs / unit)) * unit)
}

/** 360 B, 4.6 KB, 1.2 MB, 21.5 GB, in powers of 1,000. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1_000) return `${sizeBytes} B`
  if (sizeBytes < 1_000_000) return `${trim(sizeBytes / 1_000)} KB`
  if (sizeBytes < 1_000_000_000) return `${trim(sizeBytes / 1_000_000)} MB`
  return `${trim(sizeBytes / 1_000_000_000)} GB`
}

const trim = (value: number) => (value < 100 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value).toString())

/** 14:05 for the axis of a chart; with the date for ranges over a day. */
export function formatAxis(at: number, spanMs: number, zone: string): string {
  const iso = zonedIso(at, zone)
  return spanMs > 2 * dayMs
    ? iso.slice(5, 10)
    : spanMs > dayMs
      ? `${iso.slice(5, 10)} ${iso.slice(11, 16)}`
      : iso.slice(11, 16)
}

/** Whole days are counted from midnight to midnight in UTC, so a chart of such days is in UTC wherever the reader is. */
export const axisZone = ({ from, stepMs }: { from: number; stepMs: number }, zone: string): string =>
  stepMs % dayMs === 0 && from % dayMs === 0 ? 'UTC' : zone

/** The time of a bucket of a chart: 2026-11-17 14:00 – 14:30 UTC+1, or only the date of a whole day. */
export function formatBucket(from: number, stepMs: number, readerZone: string): string {
  const zone = axisZone({ from, stepMs }, readerZone)
  const [begin, end] = [zonedIso(from, zone), zonedIso(from + stepMs, zone)]
  const day = (iso: string) => iso.slice(0, 10)
  // Seconds matter only for short buckets.
  const clock = (iso: string) => iso.slice(11, stepMs % minuteMs === 0 || stepMs >= 10 * minuteMs ? 16 : 19)
  if (stepMs === dayMs && zone === 'UTC' && clock(begin) === '00:00') return `${day(begin)} UTC`
  return `${day(begin)} ${clock(begin)} – ${day(begin) === day(end) ? '' : `${day(end)} `}${clock(end)} ${nameOffset(from, zone)}`
}

/** 4,812 up to 9,999, then 12.4k and 1.2M: a column of counts stays narrow. */
export function formatCount(count: number): string {
  if (count < 10_000) return formatWhole(count)
  if (count < 999_500) return `${short(count / 1_000)}k`
  if (count < 999_500_000) return `${short(count / 1_000_000)}M`
  return `${short(count / 1_000_000_000)}B`
}

const short = (value: number) => (value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value).toString())

/** 640 µs, 1.8 ms, 94 ms, 1.18 s, 2.5 m: three digits at most, a space before the unit. */
export function formatDuration(us: number): string {
  if (us <= 0) return '0 ms'
  if (us < 999.5) return `${Math.max(1, Math.round(us))} µs`
  if (us < 999_500) return `${threeDigits(us / 1e3)} ms`
  if (us < 120e6) return `${threeDigits(us / 1e6)} s`
  return us < 7_200e6 ? `${threeDigits(us / 60e6)} m` : `${threeDigits(us / 3_600e6)} h`
}

function threeDigits(value: number): string {
  return String(Number(value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)))
}

/** `1 request`, `12.4k requests`. */
export function formatMany(count: number, one: string, many: string = `${one}s`): string {
  const whole = Math.round(count)
  return `${formatCount(whole)} ${whole === 1 ? one : many}`
}

/** Small counts of users are exact, larger ones are estimates: ≈ 12.4k. */
export const formatUsers = (count: number): string => `${count > maxExactUsers ? '≈ ' : ''}${formatCount(count)}`

/** `≈ 80` if the SDK has sent only a sample, `80` otherwise. None of a sample is none. */
export const formatEstimate = (count: number, isSampled: boolean): string =>
  `${isSampled && Math.round(count) > 0 ? '≈ ' : ''}${formatCount(Math.round(count))}`

/** `≈ 80 page loads from a sample of 8` if the SDK has sent only a sample, `80 page loads` otherwise; `≈ 80 page loads` if it is an estimate anyway. */
export function formatSampled(count: number, stored: number, one: string, isEstimate = false): string {
  const all = formatMany(count, one)
  if (stored >= Math.round(count)) return isEstimate && Math.round(count) > 0 ? `≈ ${all}` : all
  return `≈ ${all} from a sample of ${formatCount(stored)}`
}

/** 0 %, 0.02 %, 0.4 %, 2.1 %, 43 %: two digits, because most rates are small. */
export function formatRate(rate: number): string {
  const percent = rate * 100
  if (percent === 0) return '0 %'
  if (percent < 0.01) return '<0.01 %'
  return `${Number(percent.toPrecision(2))} %`
}

/** Whole percentages that add up to 100: what rounding down has lost goes to those that have lost most. */
export function formatShares(counts: readonly number[]): string[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total <= 0) return counts.map(() => '–')
  const shares = counts.map(count => (count / total) * 100)
  const left = 100 - shares.reduce((sum, share) => sum + Math.floor(share), 0)
  const byLoss = shares.map((share, index) => ({ index, loss: share % 1 })).sort((a, b) => b.loss - a.loss)
  const raised = new Set(byLoss.slice(0, left).map(({ index }) => index))
  return shares.map((share, index) => `${Math.floor(share) + (raised.has(index) ? 1 : 0)} %`)
}

/** 2026-11-15 02:40:58 UTC, or 2026-11-15 08:25:58 UTC+5:45 in a zone. */
export function formatMoment(
  at: number,
  { zone = 'UTC', withMs = false }: { zone?: string; withMs?: boolean } = {},
): string {
  const iso = zonedIso(at, zone)
  return `${iso.slice(0, 10)} ${iso.slice(11, withMs ? 23 : 19)} ${nameOffset(at, zone)}`
}

/** The moment in the zone and in UTC, for a tooltip; once where they are the same. */
export function formatBoth(at: number, zone: string, { withMs = false }: { withMs?: boolean } = {}): string {
  const [own, utc] = [formatMoment(at, { zone, withMs }), formatMoment(at, { withMs })]
  return own === utc ? utc : `${own}, ${utc}`
}

/** 02:40:58.123. */
export const formatClockTime = (at: number, zone: string): string => zonedIso(at, zone).slice(11, 23)

/** 2026-11-15 02:40 – 2026-11-16 02:40 UTC; the date once if both are on one day, the offset twice if clocks change between them. */
export function formatSpan({ from, to }: { from: number; to: number }, zone: string): string {
  const minute = (at: number) => zonedIso(at, zone).slice(0, 16).replace('T', ' ')
  const [start, end, before, after] = [minute(from), minute(to), nameOffset(from, zone), nameOffset(to, zone)]
  const isOneDay = start.slice(0, 10) === end.slice(0, 10)
  return `${start}${before === after ? '' : ` ${before}`} – ${isOneDay ? end.slice(11) : end} ${after}`
}

/** −21.4 s, +31 ms: how long before or after the event. */
export function formatOffset(offsetMs: number): string {
  if (offsetMs === 0) return '0'
  const size = Math.abs(offsetMs)
  return `${offsetMs < 0 ? '−' : '+'}${sized(size)}`
}

function sized(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 100_000) return `${(ms / 1_000).toFixed(1)} s`
  if (ms < 6_000_000) return `${Math.round(ms / 60_000)} m`
  return `${Math.round(ms / 3_600_000)} h`
}
