import { formatDuration } from '../format-duration.ts'
import { ticks } from './ticks.ts'
import type { TimeWindow } from './use-trace-view.ts'

const share = (us: number, { fromUs, toUs }: TimeWindow) => `${(((us - fromUs) / (toUs - fromUs)) * 100).toFixed(3)}%`

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

/** Web vitals where they were decided; those without a moment stand in front. */
export function VitalRow({ vitals, window }: { vitals: VitalView[]; window: TimeWindow }) {
  const inside = vitals.filter(({ atUs }) => atUs !== null && atUs >= window.fromUs && atUs <= window.toUs)
  return (
    <div className="vrow">
      {inside.map(({ label, text, verdict, atUs }, index) => {
        const isLate = ((atUs ?? 0) - window.fromUs) / (window.toUs - window.fromUs) > 0.8
        return (
          <b
            key={label}
            className={`${verdict}${isLate ? ' end' : ''}`}
            data-row={index % 2}
            style={{ left: share(atUs ?? 0, window) }}
          >
            {label} {text}
          </b>
        )
      })}
    </div>
  )
}

/** The same moments as lines down through all rows. */
export function TimeLines({ vitals, window }: { vitals: VitalView[]; window: TimeWindow }) {
  return (
    <div className="lines" aria-hidden="true">
      {ticks(window.fromUs, window.toUs).map(us => (
        <i key={us} style={{ left: share(us, window) }} />
      ))}
      {vitals
        .filter(({ atUs }) => atUs !== null && atUs >= window.fromUs && atUs <= window.toUs)
        .map(({ label, verdict, atUs }) => (
          <span key={label} className={`vt ${verdict}`} style={{ left: share(atUs ?? 0, window) }} />
        ))}
    </div>
  )
}
