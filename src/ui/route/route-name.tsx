import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { formatShares } from '../format.ts'
import { showHidden } from '../shorten.ts'

/** The name of a route in text. */
export const routeLabel = (route: string): string => (route === unmatchedRoute ? 'Unmatched paths' : route)

/** A route pattern with its parameters highlighted. */
export function RouteName({ route }: { route: string }) {
  if (route === unmatchedRoute) return <span>{routeLabel(route)}</span>
  const parts = splitRoute(route)
  return (
    <span className="rname">
      {parts.map((part, index) => (index % 2 === 1 ? <em key={index}>{showHidden(part)}</em> : showHidden(part)))}
    </span>
  )
}

/** `/items/[id]/edit` → `/items/`, `[id]`, `/edit`: every second part is a parameter. */
export function splitRoute(route: string): string[] {
  const parts: string[] = []
  let plain = ''
  for (const [at, segment] of route.split('/').entries()) {
    const start = segment.indexOf('[')
    const end = segment.lastIndexOf(']') + 1
    if (at > 0) plain += '/'
    if (start === -1 || end <= start) {
      plain += segment
      continue
    }
    parts.push(plain + segment.slice(0, start), segment.slice(start, end))
    plain = segment.slice(end)
  }
  return [...parts, plain]
}

/** How users arrive at a route: what the router did on click. */
const arrivalWays = [
  {
    key: 'prefetched',
    label: 'Prefetched',
    look: 'm-pre',
    meaning: 'A prefetch was used: the router fetched nothing on click',
  },
  {
    key: 'cached',
    label: 'Router cache',
    look: 'm-cache',
    meaning: 'Back or forward navigation, served from the router cache',
  },
  {
    key: 'none',
    label: 'No fetch',
    look: 'm-none',
    meaning: 'The router fetched nothing on click: the page needed no data, or the router had it',
  },
  { key: 'cold', label: 'Fetched', look: 'm-cold', meaning: 'The router fetched on click' },
  { key: 'unknown', label: 'Not known', look: 'm-unknown', meaning: 'The SDK doesn’t report what the router did' },
] as const

type ArrivalCounts = Record<(typeof arrivalWays)[number]['key'], number>

/** Only the ways that users took, for a legend. */
export const arrivalWaysOf = (...counts: readonly ArrivalCounts[]) =>
  arrivalWays.filter(({ key }) => counts.some(arrivals => arrivals[key] > 0))

type ArrivalMixProps = {
  arrivals: ArrivalCounts
  /** How long the fetches took. */
  fetched?: string | undefined
  /** Why the state of some is not known. */
  whyUnknown?: readonly string[]
  isWide?: boolean
}

/** How users arrived at a route, as shares of one bar. */
export function ArrivalMix({ arrivals, fetched, whyUnknown = [], isWide = false }: ArrivalMixProps) {
  const ways = arrivalWaysOf(arrivals)
  const total = ways.reduce((sum, { key }) => sum + arrivals[key], 0)
  if (total === 0) return <span className="t3">no navigations</span>
  const percents = formatShares(ways.map(({ key }) => arrivals[key]))
  const words = ways
    .map(({ key, label }, index) => {
      const share = `${label.toLowerCase()} ${percents[index]}`
      return key === 'cold' && fetched !== undefined ? `${share} (${fetched})` : share
    })
    .join(', ')
  return (
    <span
      className={isWide ? 'mix wide' : 'mix'}
      role="img"
      aria-label={words}
      title={[words, ...whyUnknown].join('\n')}
    >
      {ways.map(({ key, look }) => (
        <i key={key} className={look} style={{ width: `${(arrivals[key] / total) * 100}%` }} />
      ))}
    </span>
  )
}
