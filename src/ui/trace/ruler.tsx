import { formatDuration } from '../format-duration.ts'
import { placeLabels } from './place-labels.ts'
import { ticks } from './ticks.ts'
import type { TimeWindow } from './use-trace-view.ts'

const percent = (part: number) => `${(part * 100).toFixed(3)}%`
const share = (us: number, window: TimeWindow) => percent(shareOf(us, window))

/** Round moments over the bars. */
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

export type VitalView = { label: string; text: string; verdict: string; atUs: number | null }

/** Web vitals where they were decided. */
export function VitalRow({ vitals, window }: { vitals: VitalView[]; window: TimeWindow }) {
  const inside = vitals.flatMap(vital =>
    vital.atUs === null || !isInside(vital.atUs, window) ? [] : [{ ...vital, atShare: shareOf(vital.atUs, window) }],
  )
  return (
    <div className="vrow">
      {placeLabels(inside).map(({ items, side, atShare }) => (
        <span key={atShare} className={side === 'end' ? 'end' : undefined} style={{ left: percent(atShare) }}>
          {items.map(({ label, text, verdict }) => (
            <b key={label} className={verdict}>
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

/** The same moments as lines down through all rows. */
export function TimeLines({ vitals, window }: { vitals: VitalView[]; window: TimeWindow }) {
  return (
    <div className="lines" aria-hidden="true">
      {ticks(window.fromUs, window.toUs).map(us => (
        <i key={us} style={{ left: share(us, window) }} />
      ))}
      {vitals
        .filter(({ atUs }) => atUs !== null && isInside(atUs, window))
        .map(({ label, verdict, atUs }) => (
          <span key={label} className={`vt ${verdict}`} style={{ left: share(atUs ?? 0, window) }} />
        ))}
    </div>
  )
}
