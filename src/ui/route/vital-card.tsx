import { formatDuration } from '../format.ts'

/** In the order in which they are shown. */
export const vitals = [
  { name: 'lcp', meaning: 'largest paint' },
  { name: 'inp', meaning: 'interaction' },
  { name: 'cls', meaning: 'layout shift' },
  { name: 'ttfb', meaning: 'first byte' },
  { name: 'fcp', meaning: 'first paint' },
] as const

type Measure = { p75: number | null; rating: 'good' | 'middle' | 'poor' | null; count: number }
type Props = {
  name: string
  meaning: string
  vital: { hard: Measure; soft: Measure; label: string; good: number; poor: number }
  /** The p75 of the previous release, and whether the change since is more than chance; null if there is none. */
  before: VitalBefore | null
  /** The p75 of the release that is compared, where the vital is not that of the release. */
  after?: number | null | undefined
}
type VitalBefore = { p75: number | null; isSure: boolean }

/** One web vital with its thresholds and the change from the previous release. */
export function VitalCard({ name, meaning, vital, before, after = vital.hard.p75 }: Props) {
  const { hard, soft, label, good, poor } = vital
  const end = poor * 1.5
  const share = (value: number) => `${Math.min(100, (value / end) * 100)}%`
  return (
    <div className="vital">
      <div className="nm">
        <span>{label}</span>
        <span>{meaning}</span>
      </div>
      <div className="val">
        <span className={hard.rating ? vitalLooks[hard.rating] : 't3'}>{formatP75(name, hard.p75)}</span>
        <Change name={name} now={after} before={before} />
      </div>
      <div className="band" aria-hidden="true">
        <i style={{ width: share(good) }} />
        <i style={{ width: share(poor - good) }} />
        <i />
        {hard.p75 === null ? null : <u style={{ left: share(hard.p75) }} />}
      </div>
      <div className="ends" aria-hidden="true">
        <span style={{ left: share(good) }}>{formatVital(name, good)}</span>
        <span style={{ left: share(poor) }}>{formatVital(name, poor)}</span>
      </div>
      <small className="t3">
        {soft.count === 0 ? 'no data for soft navigations' : `${formatP75(name, soft.p75)} after soft navigations`}
      </small>
    </div>
  )
}

/** Histograms are exact to 1.1 %, on both sides, so a smaller change means nothing. */
const noticeable = 0.05

function Change({ name, now, before }: { name: string; now: number | null; before: VitalBefore | null }) {
  if (now === null || before === null || before.p75 === null) return null
  const change = now - before.p75
  if (Math.abs(change) <= noticeable * Math.max(now, before.p75)) return <small className="t3">unchanged</small>
  const text = `${change > 0 ? '+' : '−'}${formatVital(name, Math.abs(change))}`
  if (!before.isSure)
    return (
      <small className="t3" title="May be chance: there are too few page loads to be sure">
        {text}, not sure
      </small>
    )
  return <small className={change > 0 ? 'bad' : 't3'}>{text}</small>
}

/** Milliseconds as a duration, a layout shift as the score it is. */
export const formatVital = (name: string, value: number | null): string =>
  value === null ? '–' : name === 'cls' ? value.toFixed(2) : formatDuration(value * 1_000)

/** A percentile is interpolated in a histogram, except for the 0 that many layout shifts have. */
export const formatP75 = (name: string, value: number | null): string =>
  `${value === null || value === 0 ? '' : '≈ '}${formatVital(name, value)}`

type Fetches = { fetches: { p75Ms: number | null } }
/** How long the router's fetches took; undefined without any. */
export const formatFetches = ({ fetches: { p75Ms } }: Fetches): string | undefined =>
  p75Ms === null ? undefined : `p75 ${formatP75('request', p75Ms)}`

export const vitalLooks = { good: '', middle: 'meh', poor: 'bad strong' } as const
