import { formatAge, formatMoment } from './format.ts'

/** A relative time with the exact time on hover. `now` comes from the page, so that all ages on a page agree. */
export function Ago({ at, now, suffix = ' ago' }: { at: number; now: number; suffix?: string }) {
  const age = formatAge(now - at)
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {age === 'now' ? age : age + suffix}
    </time>
  )
}
