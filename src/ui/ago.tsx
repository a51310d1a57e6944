import { formatAge, formatMoment } from './format.ts'

/** How long ago, with the exact moment one hover away. `now` comes from the page, so that all ages of a page agree. */
export function Ago({ at, now, suffix = ' ago' }: { at: number; now: number; suffix?: string }) {
  const age = formatAge(now - at)
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {age === 'now' ? age : age + suffix}
    </time>
  )
}
