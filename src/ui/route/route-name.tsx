import { formatShares } from '../format.ts'
import { showHidden } from '../shorten.ts'

/** A route pattern with its parameters highlighted. */
export function RouteName({ route }: { route: string }) {
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

const arrivalWays = [
  {
    key: 'prefetched',
    label: 'Prefetched',
    look: 'm-pre',
    meaning: 'Nothing was fetched on click: the page had been prefetched',
  },
  {
    key: 'cached',
    label: 'Router cache',
    look: 'm-cache',
    meaning: 'Back or forward navigation, served from the router cache',
  },
  { key: 'cold', label: 'Cold', look: 'm-cold', meaning: 'Fetched on click: nothing or only a shell was prefetched' },
] as const

/** Without a reported prefetch nobody knows why nothing was fetched. */
const unknownWay = {
  key: 'prefetched',
  label: 'No fetch',
  look: 'm-pre',
  meaning: 'Nothing was fetched on click, and the SDK has reported no prefetch',
} as const

/** The ways by which users arrive at a route, as far as they are known. */
export const arrivalWaysOf = (hasPrefetches: boolean) =>
  arrivalWays.map(way => (way.key === 'prefetched' && !hasPrefetches ? unknownWay : way))

type ArrivalCounts = Record<(typeof arrivalWays)[number]['key'], number>
type ArrivalMixProps = { arrivals: ArrivalCounts; hasPrefetches: boolean; isWide?: boolean }

/** How users arrived at a route, as shares of one bar. */
export function ArrivalMix({ arrivals, hasPrefetches, isWide = false }: ArrivalMixProps) {
  const total = arrivalWays.reduce((sum, { key }) => sum + arrivals[key], 0)
  if (total === 0) return <span className="t3">no navigations</span>
  const ways = arrivalWaysOf(hasPrefetches)
  const percents = formatShares(ways.map(({ key }) => arrivals[key]))
  const shares = ways
    .map((way, index) => ({ ...way, share: (arrivals[way.key] / total) * 100, percent: percents[index] }))
    .filter(({ share }) => share > 0)
  const words = shares.map(({ label, percent }) => `${label.toLowerCase()} ${percent}`).join(', ')
  return (
    <span className={isWide ? 'mix wide' : 'mix'} role="img" aria-label={words} title={words}>
      {shares.map(({ key, look, share }) => (
        <i key={key} className={look} style={{ width: `${share}%` }} />
      ))}
    </span>
  )
}
