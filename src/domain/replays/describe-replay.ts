/** What the user did, in words: one line for each moment, for the breadcrumbs of a replay, the issue page and agents. Pure. */
import { clipText } from '#lib/text.ts'
import { pathOf, type ReplayMoment } from './list-moments.ts'

export type DidLine = {
  /** Milliseconds since 1970. */
  at: number
  kind: string
  /** `Click`, `Open`. */
  verb: string
  /** Selector, path or message, as it was recorded. */
  what: string
  /** Afterwards: `500 in 423 ms`, `7 times`. */
  note: string
}

/** Null for moments that are no news: successful requests of a router, focus, debug lines. */
export function describeMoment(moment: ReplayMoment): DidLine | null {
  const { at, kind, selector, text, url, status, level } = moment
  const line = (verb: string, what: string, note = ''): DidLine => ({ at, kind, verb, what, note })
  switch (kind) {
    case 'page':
    case 'navigation':
      return line('Open', pathOf(url))
    case 'click':
      return line('Click', shortSelector(selector))
    case 'dead_click':
      return line('Dead click', shortSelector(selector), 'nothing happened')
    case 'rage_click':
      return line('Rage click', shortSelector(selector), status > 0 ? `${status} times` : '')
    case 'input':
      return line('Type into', shortSelector(selector))
    case 'console':
      return level === 'error' || level === 'warning' || level === 'warn' ? line('Console', text, level) : null
    case 'request':
      return isFailedRequest(moment)
        ? line(
            'Request',
            `${moment.method} ${pathOf(url)}`,
            `${status > 0 ? status : 'no answer'} in ${moment.durationMs} ms`,
          )
        : null
    case 'hydration_error':
      return line('Hydration error', pathOf(url))
    case 'feedback':
      return line('Send feedback', '')
    case 'leave':
      return line('Leave the tab', '')
    case 'return':
      return line('Come back', '')
    default:
      return null
  }
}

export const isFailedRequest = ({ kind, status }: ReplayMoment): boolean =>
  kind === 'request' && (status === 0 || status >= 400)

/** The last part of a CSS path says most: `button#pay` of `body > main > form > button#pay`. */
export const shortSelector = (selector: string): string => selector.split(' > ').at(-1)?.trim() || selector

/** A happening that no recording has, such as an error. */
type Extra = { at: number; verb: string; what: string; note?: string }

const mostLines = 10

/** Ten lines up to a time, or to the end of the replay: `-5.2 s  Click button#pay`. */
export function tellWhatUserDid(
  moments: readonly ReplayMoment[],
  { until, extras = [] }: { until: number; extras?: readonly Extra[] },
): string[] {
  const lines = [
    ...moments.flatMap(moment => describeMoment(moment) ?? []),
    ...extras.map(extra => ({ kind: 'error', note: '', ...extra })),
  ]
    .filter(({ at }) => at <= until)
    .sort((a, b) => a.at - b.at)
  return lines.slice(-mostLines).map(({ at, verb, what, note }) => {
    const words = [verb, shorten(what), note === '' ? '' : `(${note})`].filter(Boolean).join(' ')
    return `${secondsBefore(at, until)}  ${words}`
  })
}

const maxChars = 160
const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > maxChars ? `${clipText(line, maxChars - 1)}…` : line
}

const secondsBefore = (at: number, until: number): string => {
  const seconds = (until - at) / 1_000
  return seconds < 0.05 ? '0 s' : `-${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
}
