import { formatDuration } from '../format.ts'
import type { TimeWindow } from './use-trace-view.ts'

const percent = (part: number) => `${(part * 100).toFixed(3)}%`
const share = (us: number, window: TimeWindow) => percent(shareOf(us, window))

/** The time axis above the bars. */
export function Ruler({ window }: { window: TimeWindow }) {
  return (
    <div className="ticks" aria-hidden="true">
      {ticks(window.fromUs, window.toUs).map(us => (
        <span key={us} style={{ left: share(us, window) }}>
          {us === 0 ? '0' : formatDuration(us)}
        </span>
      ))}
    </div>
  )
}

export type VitalView = { label: string; text: string; rating: string; atUs: number | null }

/** Web vitals at the time they were measured. */
export function VitalRow({ vitals, window }: { vitals: VitalView[]; window: TimeWindow }) {
  const inside = vitals.flatMap(vital =>
    vital.atUs === null || !isInside(vital.atUs, window) ? [] : [{ ...vital, atShare: shareOf(vital.atUs, window) }],
  )
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

const isInside = (us: number, { fromUs, toUs }: TimeWindow): boolean => us >= fromUs && us <= toUs
const shareOf = (us: number, { fromUs, toUs }: TimeWindow): number => (us - fromUs) / (toUs - fromUs)

/** Vertical lines through all rows at the ticks and web vitals. */
export function TimeLines({ vitals, window }: { vitals: VitalView[]; window: TimeWindow }) {
  return (
    <div className="lines" aria-hidden="true">
      {ticks(window.fromUs, window.toUs).map(us => (
        <i key={us} style={{ left: share(us, window) }} />
      ))}
      {vitals
        .filter(({ atUs }) => atUs !== null && isInside(atUs, window))
        .map(({ label, rating, atUs }) => (
          <span key={label} className={`vt ${rating}`} style={{ left: share(atUs ?? 0, window) }} />
        ))}
    </div>
  )
}

/** The share of the width that one label takes, also on a phone. */
const labelShare = 0.18

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

/** Ticks in microseconds at multiples of 1, 2 or 5 times a power of ten. */
export function ticks(fromUs: number, toUs: number): number[] {
  const span = toUs - fromUs
  if (!(span > 0)) return []
  const power = 10 ** Math.floor(Math.log10(span / maxSteps))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => span / each <= maxSteps) ?? span
  const first = Math.ceil(fromUs / step)
  const count = Math.floor(toUs / step) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step)
}
