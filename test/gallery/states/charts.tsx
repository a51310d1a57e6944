import { ChartFrame } from '#ui/chart/chart-frame.tsx'
import { ChartReader } from '#ui/chart/chart-reader.tsx'
import { Drawing } from '#ui/chart/drawing.tsx'
import { TimeAxis } from '#ui/chart/time-axis.tsx'
import { LevelBars } from '#ui/logs/level-bars.tsx'
import { AdoptionBar } from '#ui/release/adoption-bar.tsx'
import { AdoptionChart } from '#ui/release/adoption-chart.tsx'
import { NumberStrip } from '#ui/release/number-strip.tsx'
import { ArrivalMix, RouteName } from '#ui/route/route-name.tsx'
import { TrendChart } from '#ui/route/trend-chart.tsx'
import { VitalCard } from '#ui/route/vital-card.tsx'
import { exhibit, type Room } from '../states.tsx'
import { counts, dayMs, hourMs, longName, now } from './words.ts'

const bars = 48
const day = { from: now - (now % hourMs) - dayMs, to: now - (now % hourMs), stepMs: dayMs / bars }
const zeros = counts(bars, 0)
const some = counts(bars, 840)
const one = zeros.map((_, at) => (at === 30 ? 1 : 0))
const words = (list: readonly number[]) => list.map(count => `${count} events`)
const drawing = (list: readonly number[]) => (
  <Drawing className="bars" {...day} width={bars} height={84} what={`${list.length} bars`}>
    {list.map((count, at) => (
      <rect key={at} x={at} y={84 - count / 10} width={0.75} height={count / 10} />
    ))}
  </Drawing>
)

export const chart: Room = {
  folder: 'ui/chart',
  exhibits: [
    exhibit('ChartFrame', ChartFrame, {
      empty: (
        <ChartFrame label="Nothing over time" {...day} readings={words(zeros)} top={1} formatY={String}>
          {drawing(zeros)}
        </ChartFrame>
      ),
      many: (
        <ChartFrame label="Events over time" {...day} readings={words(some)} top={840} formatY={String}>
          {drawing(some)}
        </ChartFrame>
      ),
    }),
    exhibit('ChartReader', ChartReader, {
      'not read': (
        <div style={{ position: 'relative', height: 84 }}>
          <ChartReader label="Events" {...day} readings={words(some)} marks={[]} />
        </div>
      ),
    }),
    exhibit('Drawing', Drawing, { many: drawing(some) }),
    exhibit('TimeAxis', TimeAxis, {
      'a day': <TimeAxis {...day} className="axis" />,
      'a month': <TimeAxis from={now - 30 * dayMs} to={now} stepMs={dayMs} className="axis" />,
      'three ticks': <TimeAxis {...day} className="axis" ticks={3} />,
    }),
  ],
}

const levels = (make: (peak: number) => number[]) =>
  (
    [
      ['debug', 700],
      ['info', 900],
      ['warn', 120],
      ['error', 60],
    ] as const
  ).map(([level, peak]) => ({ level, counts: make(peak) }))

export const logs: Room = {
  folder: 'ui/logs',
  exhibits: [
    exhibit('LevelBars', LevelBars, {
      empty: <LevelBars {...day} levels={levels(() => zeros)} path="/acme/logs" search="" />,
      one: <LevelBars {...day} levels={[{ level: 'error', counts: one }]} path="/acme/logs" search="" />,
      many: <LevelBars {...day} levels={levels(peak => counts(bars, peak))} path="/acme/logs" search="" />,
    }),
  ],
}

const release = 'web@1.4.0'

export const releases: Room = {
  folder: 'ui/release',
  exhibits: [
    exhibit(
      'AdoptionBar',
      AdoptionBar,
      {
        none: <AdoptionBar share={0} />,
        'below 1 %': <AdoptionBar share={0.004} />,
        half: <AdoptionBar share={0.5} />,
        all: <AdoptionBar share={1} />,
      },
      'row',
    ),
    exhibit('AdoptionChart', AdoptionChart, {
      empty: <AdoptionChart activity={{ ...day, own: zeros, others: zeros }} release={release} />,
      rising: (
        <AdoptionChart
          activity={{ ...day, own: some.map((_, at) => at * 9), others: some.map((_, at) => (bars - at) * 9) }}
          release={release}
        />
      ),
      'with gaps': <AdoptionChart activity={{ ...day, own: some, others: zeros }} release={longName} />,
    }),
    exhibit('NumberStrip', NumberStrip, {
      one: <NumberStrip label="One number" cards={[{ label: 'Events', value: '0' }]} />,
      many: (
        <NumberStrip
          label="Many numbers"
          cards={[
            { label: 'Crash-free users', value: '99.2 %', was: '99.9 %', look: 'bad', note: '14 of 1,820 users' },
            { label: 'Events', value: '4,812', was: '311' },
            { label: 'LCP', value: '2.1 s', look: 'meh', note: 'p75' },
            { label: 'Adoption', value: <AdoptionBar share={0.62} /> },
          ]}
        />
      ),
      long: <NumberStrip label="Long" cards={[{ label: longName, value: longName, was: longName, note: longName }]} />,
    }),
  ],
}

const vital = (p75: number | null, rating: 'good' | 'middle' | 'poor' | null, soft: number | null) => ({
  hard: { p75, rating, count: p75 === null ? 0 : 400 },
  soft: { p75: soft, rating: null, count: soft === null ? 0 : 90 },
  label: 'LCP',
  good: 2_500,
  poor: 4_000,
})
const lcp = { name: 'lcp', meaning: 'largest paint' }
const trend = (steps: (number | null)[]) => ({ from: day.from, to: day.to, steps })

const noArrivals = { prefetched: 0, cached: 0, none: 0, cold: 0, unknown: 0 }

export const routes: Room = {
  folder: 'ui/route',
  exhibits: [
    exhibit('RouteName', RouteName, {
      root: <RouteName route="/" />,
      'with parameters': <RouteName route="/items/[id]/edit" />,
      'catch-all': <RouteName route="/[lang]/docs/[[...slug]]" />,
      long: <RouteName route={`/${longName}/[id]`} />,
    }),
    exhibit('ArrivalMix', ArrivalMix, {
      none: <ArrivalMix arrivals={{ ...noArrivals }} />,
      one: <ArrivalMix arrivals={{ ...noArrivals, cold: 7 }} fetched="p75 ≈ 120 ms" />,
      all: <ArrivalMix arrivals={{ prefetched: 40, cached: 15, none: 10, cold: 25, unknown: 10 }} />,
      wide: <ArrivalMix arrivals={{ prefetched: 40, cached: 15, none: 10, cold: 25, unknown: 10 }} isWide />,
      'without reported prefetches': <ArrivalMix arrivals={{ ...noArrivals, none: 50, cached: 1, cold: 30 }} />,
      'not known': <ArrivalMix arrivals={{ ...noArrivals, unknown: 8 }} />,
    }),
    exhibit('TrendChart', TrendChart, {
      empty: <TrendChart name="lcp" label="LCP" good={2_500} trend={trend(zeros.map(() => null))} />,
      one: <TrendChart name="lcp" label="LCP" good={2_500} trend={trend(one.map(at => (at ? 1_800 : null)))} />,
      many: <TrendChart name="lcp" label="LCP" good={2_500} trend={trend(some.map(each => each * 5))} />,
      'without a threshold': (
        <TrendChart name="ttfb" label="TTFB" good={null} trend={trend(some.map(each => each || null))} />
      ),
    }),
    exhibit(
      'VitalCard',
      VitalCard,
      {
        'no data': <VitalCard {...lcp} vital={vital(null, null, null)} before={null} />,
        good: <VitalCard {...lcp} vital={vital(1_800, 'good', 600)} before={{ p75: 1_810, isSure: true }} />,
        middling: <VitalCard {...lcp} vital={vital(3_100, 'middle', 900)} before={{ p75: 2_400, isSure: false }} />,
        poor: <VitalCard {...lcp} vital={vital(6_400, 'poor', null)} before={{ p75: 2_400, isSure: true }} />,
        better: <VitalCard {...lcp} vital={vital(1_200, 'good', 600)} before={{ p75: 2_400, isSure: true }} />,
      },
      'row',
    ),
  ],
}
