import { formatDuration } from '../format.ts'
import type { TimeScale } from './time-scale.ts'
import type { TimeWindow } from './use-trace-view.ts'

const percent = (part: number) => `${(part * 100).toFixed(3)}%`
const isInside = (drawnUs: number, { fromUs, toUs }: TimeWindow): boolean => drawnUs >= fromUs && drawnUs <= toUs
const shareOf = (drawnUs: number, { fromUs, toUs }: TimeWindow): number => (drawnUs - fromUs) / (toUs - fromUs)

type Axis = { window: TimeWindow; scale: TimeScale }

/** The time axis above the bars. An idle gap is marked with its length, because it is not drawn to scale. */
export function Ruler({ window, scale }: Axis) {
  return (
    <div className="ticks">
      {ticks(window, scale).map(us => (
        <span key={us} aria-hidden="true" style={{ left: percent(shareOf(scale.draw(us), window)) }}>
          {us === 0 ? '0' : formatDuration(us)}
        </span>
      ))}
      {visibleGaps(window, scale).map(({ fromUs, toUs, middle }) => (
        <b
          key={fromUs}
          style={{ left: `clamp(36px, ${percent(middle)}, calc(100% - 36px))` }}
          title="No spans; not drawn to scale"
        >
          {formatDuration(toUs - fromUs)} idle
        </b>
      ))}
    </div>
  )
}

/** The gaps in the window with the share at which each begins and ends, and its middle. */
const visibleGaps = (window: TimeWindow, { gaps }: TimeScale) =>
  gaps
    .map(gap => {
      const from = Math.max(0, shareOf(gap.drawnAtUs, window))
      const to = Math.min(1, shareOf(gap.drawnAtUs + gap.drawnUs, window))
      return { ...gap, from, to, middle: (from + to) / 2 }
    })
    .filter(({ from, to }) => to > from)

export type VitalView = { label: string; text: string; rating: string; atUs: number | null }

/** Web vitals at the time they were measured. */
export function VitalRow({ vitals, window, scale }: Axis & { vitals: VitalView[] }) {
  const inside = vitals.flatMap(vital => {
    const drawnUs = vital.atUs === null ? null : scale.draw(vital.atUs)
    return drawnUs === null || !isInside(drawnUs, window) ? [] : [{ ...vital, atShare: shareOf(drawnUs, window) }]
  })
  return (
    <div className="vrow">
      {placeLabels(inside).map(({ items, side, atShare }) => (
        <span key={atShare} className={side === 'end' ? 'end' : undefined} style={{ left: percent(atShare) }}>
          {items.map(({ label, text, rating }) => (
            <b key={label} className={rating}>
              {label} {text}
            </b>
          ))}
        </span>
      ))}
    </div>
  )
}

/** Vertical lines through all rows at the ticks and web vitals, and a band at each idle gap. */
export function TimeLines({ vitals, window, scale }: Axis & { vitals: VitalView[] }) {
  const at = (us: number) => percent(shareOf(scale.draw(us), window))
  return (
    <div className="lines" aria-hidden="true">
      {visibleGaps(window, scale).map(({ fromUs, from, to }) => (
        <b key={fromUs} className="idle" style={{ left: percent(from), width: percent(to - from) }} />
      ))}
      {ticks(window, scale).map(us => (
        <i key={us} style={{ left: at(us) }} />
      ))}
      {vitals
        .filter(({ atUs }) => atUs !== null && isInside(scale.draw(atUs), window))
        .map(({ label, rating, atUs }) => (
          <span key={label} className={`vt ${rating}`} style={{ left: at(atUs ?? 0) }} />
        ))}
    </div>
  )
}

/** The share of the width that one label takes, also on a phone. */
const labelShare = 0.22

type Label = { atShare: number }
/** A group of labels and where it begins or, near the right edge, ends, as a share of the width. */
type LabelGroup<Item extends Label> = { items: Item[]; side: 'begin' | 'end'; atShare: number }

/** Places labels at their times (0 to 1). Labels that would overlap become one group. */
export function placeLabels<Item extends Label>(labels: readonly Item[]): LabelGroup<Item>[] {
  const groups: Item[][] = []
  for (const label of labels.toSorted((a, b) => a.atShare - b.atShare)) {
    let group = [label]
    for (let before = groups.at(-1); before && reachOf(before).to > reachOf(group).from; before = groups.at(-1)) {
      groups.pop()
      group = [...before, ...group]
    }
    groups.push(group)
  }
  return groups.map(items => {
    const { from, to, side } = reachOf(items)
    return { items, side, atShare: side === 'begin' ? from : to }
  })
}

function reachOf(items: readonly Label[]): { from: number; to: number; side: 'begin' | 'end' } {
  const [first, last] = [items[0]?.atShare ?? 0, items.at(-1)?.atShare ?? 0]
  const width = labelShare * items.length
  return first + width <= 1
    ? { from: first, to: first + width, side: 'begin' }
    : { from: last - width, to: last, side: 'end' }
}

const maxSteps = 6

/** Ticks in microseconds of real time, at multiples of 1, 2 or 5 times a power of ten. None is in an idle gap. */
export function ticks(window: TimeWindow, scale: TimeScale): number[] {
  const span = window.toUs - window.fromUs
  if (!(span > 0)) return []
  const power = 10 ** Math.floor(Math.log10(span / maxSteps))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => span / each <= maxSteps) ?? span
  const stops = scale.gaps.flatMap(({ fromUs, toUs }) => [fromUs, toUs])
  const edges = [0, ...stops, scale.undraw(scale.wholeUs)]
  const [from, to] = [scale.undraw(window.fromUs), scale.undraw(window.toUs)]
  const stretches = Array.from({ length: edges.length / 2 }, (_, index) => edges.slice(index * 2, index * 2 + 2))
  return stretches.flatMap(([begin = 0, end = 0]) => multiples(step, Math.max(begin, from), Math.min(end, to)))
}

function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step)
  const count = Math.floor(to / step) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step)
}
